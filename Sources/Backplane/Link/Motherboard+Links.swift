/// What became of a link that was opened.
public enum LinkResult: Hashable, Sendable {
    /// The board the link leads to was activated.
    case opened
    /// A gate is in front of that board; it proceeds to its target when the gate opens.
    case waiting
    /// The gate did not open.
    case denied(Denial)
    /// The link leads nowhere here: to no template, to another host or scheme, or to a board that is not registered.
    case noMatch
    /// The link is malformed, or a parameter is not what the board takes.
    case invalid(LinkError)
}

/// Where a link leads: reads the parameters as a board's input and activates it.
typealias LinkTarget = (LinkParameters, Motherboard) throws -> ActivationState

extension Motherboard {
    /// Lets links of an app's own schemes and of its own web hosts lead here; without this, only bare paths do.
    ///
    /// ```swift
    /// motherboard.allowLinks(schemes: ["myapp"], hosts: ["campus.example"])
    /// ```
    ///
    /// - Parameters:
    ///   - schemes: the app's own schemes, without `:`; `"http"` to accept plain web links from `hosts`.
    ///   - hosts: the hosts whose `https` links are ours, each with a port if it is not the default one.
    public func allowLinks(schemes: Set<String> = [], hosts: Set<String> = []) {
        links.allow(schemes: schemes, hosts: hosts)
    }

    /// Lets links of a shape activate a board.
    ///
    /// ```swift
    /// motherboard.registerLink("course/{id}?tab={tab}", to: .course) { link in
    ///     CourseInput(id: try link["id"], tab: try link["tab"])
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - template: the shape; one that matches the same links as an earlier one traps.
    ///   - id: the board to activate.
    ///   - input: makes the board's input; what it throws makes the link ``LinkResult/invalid(_:)``.
    public func registerLink<Contract>(
        _ template: LinkTemplate,
        to id: BoardID<Contract>,
        _ input: @escaping (LinkParameters) throws -> Contract.Input
    ) {
        links.add(template) { parameters, motherboard in
            motherboard.activate(id, with: try input(parameters)).state
        }
    }

    /// Lets links of a shape with one parameter, which is the board's input, activate it: `"course/{id}"`.
    public func registerLink<Contract>(
        _ template: LinkTemplate,
        to id: BoardID<Contract>
    ) where Contract.Input: LinkParameter {
        precondition(
            template.parameters.count == 1,
            "The template \"\(template)\" must have one parameter to be the input of '\(id)'; pass a closure otherwise."
        )
        let name = template.parameters[0].name
        registerLink(template, to: id) { link in try link[name] }
    }

    /// Lets links of a shape activate a board that needs no input.
    public func registerLink<Contract>(_ template: LinkTemplate, to id: BoardID<Contract>)
    where Contract.Input == Void {
        registerLink(template, to: id) { _ in }
    }

    /// Opens a link: activates the one board it leads to, with the input that is in it, and rebuilds nothing around it.
    ///
    /// Registered links are looked for here, then on the motherboards around this one; the board is activated where its
    /// link is registered. A board behind a gate waits there and then proceeds. Hostile text is answered, never trapped on.
    ///
    /// - Parameter link: `myapp://course/abc123`, `https://campus.example/course/abc123` or `/course/abc123`.
    /// - Returns: what became of it, after all that it caused synchronously.
    @discardableResult
    public func open(_ link: String) -> LinkResult {
        var level: Motherboard? = self
        while let motherboard = level {
            switch motherboard.links.match(link) {
            case .invalid(let error): return .invalid(error)
            case .match(let target, let parameters): return motherboard.follow(target, parameters)
            case .noMatch: level = motherboard.parent
            }
        }
        return .noMatch
    }

    private func follow(_ target: LinkTarget, _ parameters: LinkParameters) -> LinkResult {
        do {
            switch try target(parameters, self) {
            case .waiting: return .waiting
            case .denied(let denial): return .denied(denial)
            case .noSuchBoard, .ownerGone: return .noMatch
            case .active, .superseded, .completed: return .opened
            }
        } catch let error as LinkError {
            return .invalid(error)
        } catch {
            return .invalid(
                LinkError(.refusedParameters, "The board's link refuses its parameters: \(type(of: error)).")
            )
        }
    }
}
