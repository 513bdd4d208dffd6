// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
//
// `NSUserActivity` belongs to Foundation on Apple's systems, and is missing in Foundation on Linux.
// It is here because both shapes need it; the shape of SwiftUI exports it again.

public import Foundation

// developer.apple.com/documentation/foundation/nsuseractivity
open class NSUserActivity: NSObject {
    public let activityType: String
    open var webpageURL: URL?

    public init(activityType: String) {
        self.activityType = activityType
    }
}

public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"
