import Cameras
import NIOCore
import PTP

/// Fuzzes the datasets of Nikon bodies: event lists and lists of properties in both forms, and the PIN of a pairing.
/// Values and descriptions of properties are read up to the texts for users.
func fuzzNikonDatasets(_ bytes: [UInt8]) {
    let data = ByteBuffer(bytes: bytes)
    for form in [NikonEventForm.short, .extended] {
        let list = NikonEventList(decoding: data, form)
        expect(list.events.count <= bytes.count / 4, "an event takes four bytes at least")
        expect(list.damage == nil || list.events.isEmpty, "a damaged list has events")
    }
    for list in [NikonVendorList.twoByte, .fourByte] {
        guard let codes = try? NikonVendorCodes(decoding: data, list) else { continue }
        expect(codes.codes.count <= bytes.count / 2, "a code takes two bytes at least")
    }
    if let pin = NikonPairingPIN(decoding: data) {
        expect(pin.digits.count == 4 && pin.digits.allSatisfy(\.isWholeNumber), "a PIN without four digits")
    }
    fuzzNikonProperties(data)
}

/// Gives the same data to each property that the driver reads, once as a description and once as a value.
private func fuzzNikonProperties(_ data: ByteBuffer) {
    var store = NikonPropertyStore()
    for code in NikonPropertyStore.used {
        // The description is for one property only. For the others its code is replaced.
        var description = data
        if description.readableBytes >= 2 {
            description.setInteger(code.rawValue, at: description.readerIndex, endianness: .little)
        }
        try? store.note(descriptor: description, of: code, at: .zero)
        try? store.note(value: data, of: code, at: .seconds(1))
    }
    expect(store.speeds.count <= 55, "more speeds than there are")
    for state in store.states {
        guard state.isWritable else { continue }
        for choice in state.choices.prefix(8) {
            let step = NikonPropertyRow.row(of: state.property).step(toward: choice, in: store)
            expect(step != .notOffered, "\(state.property) refuses its own choice \(choice)")
        }
    }
    for speed in store.speeds.prefix(8) {
        expect(store.step(toward: speed) != .notOffered, "\(speed) is offered and refused")
    }
    _ = store.status
}
