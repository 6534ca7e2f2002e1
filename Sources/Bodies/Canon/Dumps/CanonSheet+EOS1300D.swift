extension CanonSheet {
    /// The first event list of a 1300D in M without a lens, byte for byte (vcam eos_events.bin).
    package static let eos1300D = CanonSheet(
        """
        .C1A4 20001; D105 3; D108 3; D106 11; D107 3; D109 8; D10B 0; D10C 0; D10D 0; D10E 0; D10F 1; D11B c03; D114
        0; D116 80000404; D119 100; D110 87; D101 0; D102 2d; D103 70; D104 0; D11D 0; D111 1; D112 0; D113
        64d2437f; D120 1 10 1 0 3; D122 1 10 1 0 3; D156 1c 0 3 0*4; D150 1c 0 3 0*4; D151 1c 0 2 0*4; D152 1c 0 4
        0*4; D153 1c 0*6; D154 1c 0*6; D155 1c 0 3 0*4; D160 20 87 0 3 0*4; D161 20 87 0 3 0*4; D162 20 87 0 3 0*4;
        D11C 2; D1A0 bc 4 1 2c 3 101 1 0 103 1 1 10f 1 0 2 2c 3 201 1 0 202 1 0 203 1 0 3 14 1 50e 1 0 4 38 4 701 1
        0 704 1 1 70e 1 1 811 1 0; D1A1 8 0; D1A8 0; D1AB 0; D1B0 0; D1B1 1; D1B2 0; D1B3 0; D1B4 8; D1B5 30 0
        e3500000 1a00000f e3510000 13a01004 3a01000 e3520000 13a02002 3a02000 4000400 4000400; D1A9 2; D146 30 0*9
        40001c0 29003f0; D1AC 99a9; D11E 20001; D11F 91c00000; D1D9 0; D1BA 1; D1CA 18 0 0 1e f 0; D1BC 1; D1B8 0;
        D1D3 64 60 90009 d801440 d801440 8100b5 810081 8100de 810081 7500b5 ac00ac e000ac ac00ac 7500ac fcb90000
        fa8e0347 5720000 347fcb9 2e70000 1890189 0 fe770000 fd19fe77 1ff0000 ffff0000; D1D8 0*10; D1B7 0; D1B9 26 0
        3 3a 80030039 0 3 32 8003003a +0000; D1DB 0 3 2f +2800; D1DC 0; D1DF 0; D1BD 0; D1C1 2; D1C0 0; D1BF 0; D1C4
        0; D1C2 0; D1C5 3; D194 0; D195 2; D196 2f; D197 0; D198 0; D1C6 0; D1C8 0; D17C 64d27bbf; D17D c 1b
        fffffed4; D17E 1; D138 3; D177 18 0*5; D175 0; D14A 0; .C1A4 20001; D105:1; D108:3 3; D106:3 0 1 10 11 7;
        D107:3 3 4 5; D109:3 0 17 1 8 2 3 4 5 6; D10B:3 fffffff7 fffffff8 fffffff9 fffffffa fffffffb fffffffc
        fffffffd fffffffe ffffffff 0 1 2 3 4 5 6 7 8 9; D10C:3 fffffff7 fffffff8 fffffff9 fffffffa fffffffb fffffffc
        fffffffd fffffffe ffffffff 0 1 2 3 4 5 6 7 8 9; D10D:3 0 1 2 3; D10E:3 0 1 2 3; D10F:3 1 2; D11B:1; D114:1;
        D116:1; D119:1; D11A:1; D110:3 87 81 82 83 84 85 86 21 22 23; D115:7; D101:3; D102:3 c 10 13 15 18 1b 1d 20
        23 25 28 2b 2d 30 33 35 38 3b 3d 40 43 45 48 4b 4d 50 53 55 58 5b 5d 60 63 65 68 6b 6d 70 73 75 78 7b 7d 80
        83 85 88 8b 8d 90 93 95 98; D103:3 0 48 50 58 60 68 70 78 80; D104:3; D11D:1; D111:1; D112:1; D113:7;
        D120:3*a 1 10 1 0 3 1 10 1 0 2 1 10 1 1 3 1 10 1 1 2 1 10 1 e 3 1 10 1 e 2 1 10 1 f 3 1 10 1 10 3 2 10 6 0 4
        10 1 0 3 1 10 6 0 4; D122:3*a 1 10 1 0 3 1 10 1 0 2 1 10 1 1 3 1 10 1 1 2 1 10 1 e 3 1 10 1 e 2 1 10 1 f 3 1
        10 1 10 3 2 10 6 0 4 10 1 0 3 1 10 6 0 4; D156:7; D150:7; D151:7; D152:7; D153:7; D154:7; D155:7; D160:7;
        D161:7; D162:7; D170:7; D171:7; D172:7; D11C:3 2 4 6; D1A0:7; D1A1:7; D1A2:7; D1A8:1; D1AB:1; D1B0:3 1 2 3 4
        5 6 7 8 9 a b; D1B1:3 1 0; D1B2:7; D1B3:7; D1B4:3 0 17 1 8 2 3 4 5 6 8000; D1B5:7; D1A9:3 0 2 4 8 ff;
        D146:7; D1AC:1; D1AD:1; D1AE:1; D11E:1; D11F:1; D1AF:1; D1D0:7; D1D1:7; D1D9:3 0 3 5 8 b d 10; D1BA:3 1 2 0;
        D1CA:3; D1BC:3 0 1; D1B8:3; D1D3:7; D1D8:1; D17F:1; D1B7:1; D1B9:7; D1DB:7; D1DC:3 0 1 2; D1DF:3 f0 f3 f5 f8
        fb fd 0 3 5 8 b d 10; D1BD:1; D1C1:3 0 1 2 3; D1C0:1; D1BF:7; D1C4:1; D1C2:1; D1C5:3; D194:3 0 2 7 1;
        D195:3; D196:7; D197:3; D198:1; D1C6:3 0 1 2; D1C8:3 0 1; D17C:7; D17D:3*21 c 21 30c c 1 2fd c 2 2d0 c 3 294
        c 4 258 c 5 23a c 6 21c c 7 1e0 c 8 1a4 c 9 186 c a 168 c b 159 c c 14a c d 12c c e 10e c f f0 c 10 d2 c 11
        b4 c 12 78 c 13 3c c 14 0 c 15 ffffffc4 c 16 ffffff88 c 17 ffffff4c c 18 ffffff2e c 19 ffffff10 c 1a
        fffffef2 c 1b fffffed4 c 1c fffffe98 c 1d fffffe5c c 1e fffffe20 c 1f fffffde4 c 20 fffffda8; D17E:3 0 1;
        D14D:7; D19D:1; D138:1; D177:7; D175:3 0; D14A:1
        """
    )
}
