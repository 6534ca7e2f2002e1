import NIOCore
import Testing

@testable import Varlink

struct FrameTests {
    private func strings(_ reader: inout FrameReader) throws -> [String] {
        var strings: [String] = []
        while let frame = try reader.next() { strings.append(String(buffer: frame)) }
        return strings
    }

    @Test func `messages are the same wherever the stream is cut`() throws {
        let bytes = Array("{\"a\":1}\0\0{\"b\":2}\0{\"c\"".utf8)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                var reader = FrameReader(lengthMax: 100)
                var messages: [String] = []
                for part in [bytes[..<first], bytes[first..<second], bytes[second...]] {
                    reader.append(ByteBuffer(bytes: part))
                    messages += try strings(&reader)
                }
                #expect(messages == ["{\"a\":1}", "", "{\"b\":2}"], "cut at \(first) and \(second)")
                #expect(reader.bufferedBytes == 4)
            }
        }
    }

    @Test func `a message may be as long as the limit and not a byte longer, whole or in parts`() throws {
        for step in [1, 3, 1000] {
            var reader = FrameReader(lengthMax: 10)
            for part in stride(from: 0, to: 10, by: step) {
                reader.append(ByteBuffer(repeating: 0x61, count: min(step, 10 - part)))
                if part + step < 10 { #expect(try reader.next() == nil) }
            }
            reader.append(ByteBuffer(bytes: [0]))
            #expect(try strings(&reader) == ["aaaaaaaaaa"])
            reader.append(ByteBuffer(repeating: 0x61, count: 11))
            #expect(throws: FrameTooLong(lengthMax: 10)) { try reader.next() }
        }
        var reader = FrameReader(lengthMax: 10)
        reader.append(ByteBuffer(string: "aaaaaaaaaaa\0"))
        #expect(throws: FrameTooLong(lengthMax: 10)) { try reader.next() }
    }

    @Test func `a read full of messages is split without a copy of the bytes after each of them`() throws {
        var reader = FrameReader(lengthMax: 10)
        reader.append(ByteBuffer(string: String(repeating: "{}\0", count: 1_000)))
        var places: [Int] = []
        while let frame = try reader.next() {
            places.append(frame.withUnsafeReadableBytes { Int(bitPattern: $0.baseAddress) })
        }
        // Each message is directly behind the previous one in the bytes that were read, so no bytes were copied.
        #expect(places.count == 1_000)
        #expect(zip(places, places.dropFirst()).allSatisfy { $1 == $0 + 3 })
        #expect(reader.bufferedBytes == 0)
    }

    @Test func `an encoded message ends with its only NUL`() {
        let bytes = Frame.encode(.object(["text": .string("a\u{0}b")])).readableBytesView
        #expect(bytes.firstIndex(of: 0) == bytes.count - 1)
    }

    @Test func `calls are written and read back`() throws {
        let calls = [
            VarlinkCall(method: "a.b.C"),
            VarlinkCall(method: "a.b.C", parameters: ["x": 1], more: true),
            VarlinkCall(method: "a.b.C", oneway: true, upgrade: true),
        ]
        for call in calls { #expect(try VarlinkCall(parsing: ByteBuffer(bytes: call.message.encoded())) == call) }
        #expect(calls[0].message.description == #"{"method":"a.b.C"}"#)
    }

    @Test func `replies are written and read back`() throws {
        let replies = [
            VarlinkReply(),
            VarlinkReply(parameters: ["x": 1.5], continues: true),
            VarlinkReply(parameters: ["x": ["y"]], error: "a.b.Wrong"),
        ]
        for reply in replies { #expect(try VarlinkReply(parsing: ByteBuffer(bytes: reply.message.encoded())) == reply) }
        #expect(replies[0].message.description == #"{"parameters":{}}"#)
    }

    @Test(arguments: [
        ("7", "message: expected an object, found an integer"),
        ("{", "message: not JSON: byte 1: expected a member name"),
        ("{}", "method: expected a string, but it is missing"),
        (#"{"method":null}"#, "method: expected a string, found null"),
        (#"{"method":"a.b.C","parameters":[]}"#, "parameters: expected an object, found an array"),
        (#"{"method":"a.b.C","more":1}"#, "more: expected a boolean, found an integer"),
        (
            #"{"method":"a.b.C","mroe":true}"#,
            "mroe: a call has no such member; its members are method, more, oneway, parameters, upgrade"
        ),
    ])
    func `an invalid call gives the reason`(text: String, message: String) {
        let error = #expect(throws: MessageError.self) { try VarlinkCall(parsing: ByteBuffer(string: text)) }
        #expect(error?.description == message)
    }

    @Test func `an error shows its sentence, or else its name and parameters`() {
        #expect(VarlinkError(name: "a.b.C").description == "a.b.C")
        #expect(VarlinkError(name: "a.b.C", parameters: ["x": 1]).description == #"a.b.C {"x":1}"#)
        #expect(VarlinkError(name: "a.b.C", parameters: ["sentence": "No."]).description == "No.")
    }
}
