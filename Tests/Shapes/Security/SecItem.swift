// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

import BackplaneConcurrency
public import Foundation

// On Apple's systems, these are classes that a cast bridges from and to Swift.
public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = Any

// developer.apple.com/documentation/kernel/osstatus
public typealias OSStatus = Int32

// developer.apple.com/documentation/security/ksecclass
public let kSecClass: CFString = "class"
// developer.apple.com/documentation/security/ksecclassgenericpassword
public let kSecClassGenericPassword: CFString = "genp"
// developer.apple.com/documentation/security/ksecattrservice
public let kSecAttrService: CFString = "svce"
// developer.apple.com/documentation/security/ksecattraccount
public let kSecAttrAccount: CFString = "acct"
// developer.apple.com/documentation/security/ksecattraccessgroup
public let kSecAttrAccessGroup: CFString = "agrp"
// developer.apple.com/documentation/security/ksecattraccessible
public let kSecAttrAccessible: CFString = "pdmn"
// developer.apple.com/documentation/security/ksecattraccessibleafterfirstunlockthisdeviceonly
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
// developer.apple.com/documentation/security/ksecusedataprotectionkeychain
public let kSecUseDataProtectionKeychain: CFString = "nleg"
// developer.apple.com/documentation/security/ksecvaluedata
public let kSecValueData: CFString = "v_Data"
// developer.apple.com/documentation/security/ksecreturndata
public let kSecReturnData: CFString = "r_Data"
// developer.apple.com/documentation/security/ksecmatchlimit
public let kSecMatchLimit: CFString = "m_Limit"
// developer.apple.com/documentation/security/ksecmatchlimitone
public let kSecMatchLimitOne: CFString = "m_LimitOne"

// developer.apple.com/documentation/security/errsecsuccess
public var errSecSuccess: OSStatus { 0 }
// developer.apple.com/documentation/security/errsecduplicateitem
public var errSecDuplicateItem: OSStatus { -25299 }
// developer.apple.com/documentation/security/errsecitemnotfound
public var errSecItemNotFound: OSStatus { -25300 }
// developer.apple.com/documentation/security/errsecinteractionnotallowed
public var errSecInteractionNotAllowed: OSStatus { -25308 }
// developer.apple.com/documentation/security/errsecmissingentitlement
public var errSecMissingEntitlement: OSStatus { -34018 }

// developer.apple.com/documentation/security/secitemadd(_:_:)
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    ShapeKeychain.change(attributes) { items, key in
        guard items[key] == nil else { return errSecDuplicateItem }
        items[key] = ShapeKeychain.Item(attributes)
        return errSecSuccess
    }
}
// developer.apple.com/documentation/security/secitemcopymatching(_:_:)
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    guard query[kSecReturnData] as? Bool == true, query[kSecMatchLimit] as? String == kSecMatchLimitOne else {
        return ShapeKeychain.wrongParameters
    }
    return ShapeKeychain.change(query) { items, key in
        result?.pointee = items[key]?.data
        return items[key] == nil ? errSecItemNotFound : errSecSuccess
    }
}
// developer.apple.com/documentation/security/secitemupdate(_:_:)
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    ShapeKeychain.change(query) { items, key in
        guard items[key] != nil else { return errSecItemNotFound }
        items[key] = ShapeKeychain.Item(attributesToUpdate)
        return errSecSuccess
    }
}
// developer.apple.com/documentation/security/secitemdelete(_:)
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    ShapeKeychain.change(query) { items, key in
        items.removeValue(forKey: key) == nil ? errSecItemNotFound : errSecSuccess
    }
}

/// The items of the stand-in, for tests; not a part of Security.
public enum ShapeKeychain {
    public struct Item: Equatable, Sendable {
        public var data: Data?
        public var accessible: String?

        init(_ attributes: CFDictionary) {
            data = attributes[kSecValueData] as? Data
            accessible = attributes[kSecAttrAccessible] as? String
        }
    }

    /// The status of a query that the Keychain does not understand.
    static var wrongParameters: OSStatus { -50 }

    private static let state = Locked<[[String]: Item]>([:])

    /// The item of a service, an account and a group.
    public static subscript(service: String, account: String, group: String?) -> Item? {
        state.withLock { $0[[service, account, group ?? ""]] }
    }

    static func change(_ query: CFDictionary, _ body: (inout [[String]: Item], [String]) -> OSStatus) -> OSStatus {
        guard query[kSecClass] as? String == kSecClassGenericPassword,
            query[kSecUseDataProtectionKeychain] as? Bool == true,
            let service = query[kSecAttrService] as? String, let account = query[kSecAttrAccount] as? String
        else { return wrongParameters }
        let key = [service, account, query[kSecAttrAccessGroup] as? String ?? ""]
        return state.withLock { body(&$0, key) }
    }
}
