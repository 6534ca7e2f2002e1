/// First event lists of bodies without a captured one, and changes to captured ones.
extension CanonSheet {
    /// The first event list of an 80D in M, in the order of a 5DS R. No complete list of an 80D is known. The lists of
    /// speeds, apertures and targets, the handles and the counter are those of an 80D over WiFi (sabaipics 80d.txt).
    package static let eos80D = CanonSheet(
        """
        D105 3; D108 3; D106 0; D107 3; D109 0; D10A 1450; D10F 1; D11B 49b4; D114 0; D116 80000350; D119 100;
        D110 87; D101 38; D102 70; D103 48; D104 0; D11D 0; D111 2; D112 0; D113 5c0a1b00; D120 1 10 1 0 3;
        D122 1 10 1 0 3; D11C 2; D1A1 8 0; D1A8 1; D1AB 0; D1B0 0; D1B1 1; D1B4 0; D1A9 2; D11E 20001; D11F 91900000;
        D1D9 0; D1BA 1; D1BC 1; D1B8 0; D1B7 0; D1DC 0; D1DF 0; D1BD 0; D1C1 0; D1C0 0; D1BF 0; D1C3 0; D1C4 0;
        D1C2 0; D1C5 0; D194 0; D195 2; D196 2f; D197 0; D198 ff; D199 e; D1C7 0; D138 3;
        .C1A4 20001;
        D105:1; D108:3 3; D106:3 0 4 5 13 10 11; D107:3 3 4 1 5; D109:3 0 17 1 8 2 3 4 5 6 9; D10F:3 1 2; D11B:1;
        D114:1; D116:1; D110:3 87 81 82 83 84 85 86 21 22 23;
        D101:3 20 23 25 28 2b 2d 30 33 35 38 3b 3d 40 43 45 48 4b 4d 50;
        D102:3 10 13 15 18 1b 1d 20 23 25 28 2b 2d 30 33 35 38 3b 3d 40 43 45 48 4b 4d 50 53 55 58 5b 5d 60 63 65 68
        6b 6d 70 73 75 78 7b 7d 80 83 85 88 8b 8d 90 93 95 98 9b 9d a0;
        D103:3 0 48 4b 4d 50 53 55 58 5b 5d 60 63 65 68 6b 6d 70 73 75 78 7b 7d 80 83 85; D104:3; D11D:1; D111:1;
        D112:1; D120:3*3 1 10 1 0 3 1 10 6 0 4 2 10 6 0 4 10 1 0 3; D122:3*3 1 10 1 0 3 1 10 6 0 4 2 10 6 0 4 10 1 0 3;
        D11C:3 2 4 6; D1B0:3 0 1 2 3 8 9; D1B1:3 0 1; D11E:1; D11F:1; D1C3:1; D199:1; D138:1;
        .C1A5 49 1fff 1 0*f +00
        """
    )

    /// The first event list of an R6 Mark II in M, in the order of an R6 (LGD canon-eos-r6). No complete list of an R6
    /// Mark II is known. The counter, the handles and 0xD167 are those of one over WiFi (sabaipics r6.txt).
    package static let eosR6Mark2 = CanonSheet(
        """
        D116 80000481; D105 3; D138 3; D102 70; D101 38; D103 48; D106 0; D108 3; D107 3; D109 0; D11B 72f; D104 0;
        D10E 0; D10D 0; D1D9 0; D1D5 0; D1C1 0; D10F 1; D114 3c; D1B7 1; D110 87; D1B1 1; D1BC 0; D1B4 0; D1B6 1450;
        D1AB 0; D1B0 1; D10A 1450; D1A8 1; D198 ff; D1A1 8 0; D1B8 3; D1BA 5; D1C9 1; D17A 0; D1C5 0; D1C2 0; D1BD 0;
        D194 0; D195 2; D196 2f; D197 1; D199 13; D179 1; D17B 0; D120 1 10 1 0 3; D121 1 10 1 0 3; D122 1 10 1 0 3;
        D11C 1; D113 63a1f000; D112 0; D111 2; D11F 51900000; D11F 51900000; D11E 10001; D1AA 0; D1C3 0; D1BF 0;
        D11D 0; D1C7 0; D1C4 0; D1DC 2; D1C0 0; D167 10 1 33838 33068; D238 39;
        D103:3 0 48 4b 4d 50 53 55 58 5b 5d 60 63 65 68 6b 6d 70 73 75 78 7b 7d 80 83 85 88 8b 8d 90 93 95 98;
        D105:1; D11B:1; D114:1; D116:1; D111:1; D112:1; D138:1; D199:1; D11E:1; D11F:1; D108:3 3;
        D106:3 0 12 4 5 10 11 7; D107:3 1 3 4 5; D109:3 0 17 1 8 2 3 4 5 6 9; D10F:3 1 2;
        D101:3 28 2b 2d 30 33 35 38 3b 3d 40 43 45 48 4b 4d 50 53 55 58;
        D102:3 10 13 15 18 1b 1d 20 23 25 28 2b 2d 30 33 35 38 3b 3d 40 43 45 48 4b 4d 50 53 55 58 5b 5d 60 63 65 68
        6b 6d 70 73 75 78 7b 7d 80 83 85 88 8b 8d 90 93 95 98 9b 9d a0;
        D104:3 0; D120:3*3 1 10 1 0 3 1 10 6 0 4 2 10 6 0 4 10 1 0 3;
        D121:3*3 1 10 1 0 3 1 10 6 0 4 2 10 6 0 4 10 1 0 3;
        D122:3*3 1 10 1 0 3 1 10 6 0 4 2 10 6 0 4 10 1 0 3; D11C:3 1 5 4; D1B0:3 0 1 2 3 4 5 6 7 8 9 a b; D1B1:3 1;
        .C1A4 10001; .C19D 0; .C1F6 0; D1B7 0; .C1A5 5e 1fff 1 0*13 +0000
        """
    )

    /// The properties of an M50 that differ in M, because its captured list is from its automatic mode. UNSURE: the
    /// list of speeds is that of an M3 in M, the others are those of an M50 Mark II.
    package static let eosM50InManual = CanonSheet(
        """
        D105 3; D138 3; D101 38; D102 70; D103 48;
        D101:3 2d 30 33 35 38 3b 3d 40 43 45 48 4b 4d 50;
        D102:3 c 10 13 15 18 1b 1d 20 23 25 28 2b 2d 30 33 35 38 3b 3d 40 43 45 48 4b 4d 50 53 55 58 5b 5d 60 63 65 68
        6b 6d 70 73 75 78 7b 7d 80 83 85 88 8b 8d 90 93 95 98;
        D103:3 0 48 4b 4d 50 53 55 58 5b 5d 60 63 65 68 6b 6d 70 73 75 78 7b 7d 80 83 85 88
        """
    )

    /// The captured 1300D waits 2 s after each press. The simulated body does not.
    package static let eos1300DWithoutTimer = CanonSheet("D106 0")
}
