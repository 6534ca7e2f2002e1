import PTP

/// The operations and events in DeviceInfo of real bodies (libgphoto2's dumps).
extension NikonModel {
    /// The operations of a Z 6II (`nikon-z6-2.txt`).
    static let operationsOfZ62 = operations(
        """
        1001 1002 1003 1004 1005 1006 1007 1008 1009 100A 100B 100C 100D 100E 100F 1014 1015 1016 101B 90C0 90C1 90C2
        90C3 90C4 90C7 90C8 90C9 90CA 90CB 90CC 90CD 90CE 90CF 9201 9202 9203 9204 9205 9206 9207 9209 920A 920B 920C
        920F 9400 9402 9403 9404 9405 9406 940C 9414 9415 9416 9417 9418 9419 941A 941B 941C 9420 9421 9422 9423 9424
        9425 9426 9428 9431 9432 9433 9434 9435 9436 9455 9456 9457 9458 9459 945A 9520 9521 9522 9523 9527 9528 9529
        952A 9530 9531 9532 9533 9535
        """
    )

    /// The operations of a Z 9 (`nikon-z9.txt`). The dump is from a cable, so the two operations of pairing are added.
    static let operationsOfZ9 = operations(
        """
        1001 1002 1003 1004 1005 1006 1007 1008 1009 100A 100B 100C 100D 100E 100F 1014 1015 1016 101B 90C0 90C1 90C2
        90C3 90C4 90C7 90C8 90C9 90CB 90CC 90CD 90CE 90CF 9201 9202 9203 9204 9205 9206 9207 9209 920A 920B 920C 920F
        9400 9401 9402 9403 9404 9405 9406 940C 9412 9413 9414 9415 9416 9417 9418 9419 941A 941B 941C 9420 9421 9422
        9423 9424 9425 9426 9428 942E 942F 9431 9432 9433 9434 9435 9436 9439 943A 943B 943C 943D 943E 943F 9440 9441
        9442 9443 9444 9445 9446 9447 9520 9521 9522 9523 9527 9528 9529 952A 9530 9531 9532 9533 9535 935A 952B
        """
    )

    /// The operations of a DSLR. UNSURE: no dump of a D850 has its operations. These are the ones that DSLRs of its
    /// time have in common: no application mode, events by 0x90C7 alone.
    static let operationsOfD850 = operations(
        """
        1001 1002 1003 1004 1005 1006 1007 1008 1009 100A 100B 100C 100D 100E 100F 1014 1015 1016 101B 90C0 90C1 90C2
        90C3 90C4 90C7 90C8 90C9 90CA 90CB 9201 9202 9203 9204 9205 9207 920A 920B 920C 9400 9402
        """
    )

    /// The events of a Z 6II.
    static let eventsOfZ = codes(
        """
        4001 4002 4003 4004 4005 4006 4007 4008 4009 400A 400C 400D C101 C102 C105 C108 C10A C10B C10C C10D C10E C120
        C121 C122 C123 C700
        """
    )
    .map(EventCode.init(rawValue:))

    /// The events of a DSLR; the list is an assumption.
    static let eventsOfDSLR = codes("4001 4002 4003 4004 4005 4006 4007 4008 4009 400A 400C 400D C101 C102 C103 C104")
        .map(EventCode.init(rawValue:))

    /// Properties with four bytes of a ZR (OpenZCine), which only the operations 0x943A to 0x943C read and write.
    static let longCodesOfZR: [UInt32] = [0x0001_D001, 0x0001_D002]

    private static func operations(_ text: String) -> [OperationCode] { codes(text).map(OperationCode.init(rawValue:)) }

    private static func codes(_ text: String) -> [UInt16] {
        text.split { $0.isWhitespace }.map { digits in
            guard let code = UInt16(digits, radix: 16) else { preconditionFailure("\(digits) is not a code") }
            return code
        }
    }
}
