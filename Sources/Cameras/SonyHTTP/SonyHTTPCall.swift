import JSON
import NIOCore

/// A call of a method: the JSON of the request (API Reference v2.40, "JSON-RPC").
package struct SonyHTTPCall: Hashable, Sendable {
    package var method: SonyHTTPMethod
    package var params: [JSONValue]
    package var version: String

    package init(_ method: SonyHTTPMethod, _ params: [JSONValue] = [], version: String? = nil) {
        self.method = method
        self.params = params
        self.version = version ?? method.version
    }

    /// The bytes of the request.
    ///
    /// - Parameter id: 1 or more; the body returns it in its reply.
    package func encoded(id: Int) -> ByteBuffer {
        let members: JSONValue = [
            "method": .string(method.rawValue), "params": .array(params), "id": .int(id), "version": .string(version),
        ]
        return ByteBuffer(bytes: members.encoded())
    }
}

/// The reply to a call.
package enum SonyHTTPAnswer: Hashable, Sendable {
    /// The values of `result`.
    case result([JSONValue])
    case error(SonyHTTPError)
}

/// Why a reply is not an answer to its call.
package enum SonyHTTPReplyFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The body of the reply is no JSON.
    case notJSON(JSONError)
    case notAnObject
    /// The reply belongs to another call; nil: it has no number.
    case otherID(Int?)
    /// The reply has neither a result nor an error.
    case withoutResult

    /// A short text for messages.
    package var description: String {
        switch self {
        case .notJSON(let error): "the reply is not JSON: \(error)"
        case .notAnObject: "the reply is not a JSON object"
        case .otherID(let id?): "the reply has the number \(id) of another call"
        case .otherID(nil): "the reply has no number"
        case .withoutResult: "the reply has neither a result nor an error"
        }
    }
}

extension SonyHTTPAnswer {
    /// The greatest size of a reply in bytes. The longest known one, a list of 100 contents, has less than 100 kB.
    package static let byteCountMax = 1 << 18

    /// Reads a reply. The members can have any order. A status other than 200 is an error with that number.
    ///
    /// - Parameter id: the number of the call.
    package static func read(_ reply: HTTPReply, id: Int) throws(SonyHTTPReplyFault) -> SonyHTTPAnswer {
        guard reply.head.status == 200 else { return .error(SonyHTTPError(rawValue: Int(reply.head.status))) }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: reply.body.readableBytesView)
        } catch {
            throw .notJSON(error)
        }
        guard case .object(let members) = value else { throw .notAnObject }
        guard members["id"]?.intValue == id else { throw .otherID(members["id"]?.intValue) }
        if let error = members["error"], !error.isNull {
            // `[number, text]`. A list without a number means an error of an unknown kind.
            return .error(SonyHTTPError(rawValue: error.arrayValue?.first?.intValue ?? SonyHTTPError.any.rawValue))
        }
        guard let result = (members["result"] ?? members["results"])?.arrayValue else { throw .withoutResult }
        return .result(result)
    }
}
