/// The form of a sheet: see ``Navigator/present(_:as:form:pinned:)``.
///
/// ```swift
/// navigator.present(.filters, form: .heights([.medium, .large]))
/// navigator.present(.colors, form: .popover(x: 0.9, y: 0))
/// ```
///
/// If a host cannot draw the form, it shows its usual sheet. A cover has no form.
public enum SheetForm: Hashable, Sendable {
    /// The usual sheet of the host.
    case automatic
    /// A sheet with these heights, in any order.
    ///
    /// The user drags the sheet from one height to the next. A height that is not positive is
    /// ignored. Without heights, it is the usual sheet.
    case heights([SheetHeight])
    /// A popover with an arrow to a point of the layer below.
    ///
    /// `0` is the leading or upper edge of that layer, and `1` its trailing or lower edge. If there
    /// is little room, as on a phone, it is a sheet.
    case popover(x: Double, y: Double)

    /// The heights that can be drawn; the full height if there are none.
    package var heights: [SheetHeight] {
        guard case .heights(let heights) = self else { return [.large] }
        let possible = heights.compactMap(\.possible)
        return possible.isEmpty ? [.large] : possible
    }

    /// The point of a popover, inside the layer below; the middle of its upper edge if this is no
    /// popover.
    package var anchor: (x: Double, y: Double) {
        guard case .popover(let x, let y) = self else { return (0.5, 0) }
        return (x > 0 ? min(x, 1) : 0, y > 0 ? min(y, 1) : 0)
    }

    package var isPopover: Bool { if case .popover = self { true } else { false } }
}

/// A height of a sheet.
public enum SheetHeight: Hashable, Sendable {
    /// About half of the window.
    case medium
    /// The full height of a sheet.
    case large
    /// A part of the full height, from `0` to `1`.
    case fraction(Double)
    /// A number of points.
    case points(Double)

    /// The height, in which a part is at most the whole; `nil` if its number is not positive, or
    /// infinite.
    fileprivate var possible: SheetHeight? {
        switch self {
        case .medium, .large: self
        case .fraction(let part): part > 0 && part.isFinite ? .fraction(min(part, 1)) : nil
        case .points(let points): points > 0 && points.isFinite ? self : nil
        }
    }
}
