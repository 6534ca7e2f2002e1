import Cameras

// The numbers of settings in Nikon's properties.

extension DialMode {
    /// The value of property 0x500E.
    var ofNikon: Int64 {
        switch self {
        case .manual: 1
        case .program: 2
        case .aperturePriority: 3
        case .shutterPriority: 4
        }
    }
}

extension BodySaveTarget {
    /// The value of property 0xD10B.
    var ofNikon: Int64 {
        switch self {
        case .card: 0
        case .host: 1
        case .both: 2
        }
    }
}

extension BodyFileFormat {
    /// The value of property 0x5004. The number 6 is TIFF, which Z bodies do not have (libgphoto2's dumps).
    var ofNikon: Int64 {
        switch self {
        case .jpeg: 4
        case .raw: 7
        case .rawAndJPEG: 12
        }
    }
}
