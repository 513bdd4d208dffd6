import Backplane
import BackplaneNavigation

extension Operation {
    /// Pushes a screen onto a window with `depth` places, and removes it.
    static func pushAndPop(depth: Int = 8, on owner: any Actor) -> Operation {
        let navigator = Navigator<Int>(owner: owner)
        for screen in 0...depth { navigator.push(screen) }
        return Operation { count in
            for number in 0..<count { navigator.push(number).dismiss() }
            consume(navigator.base.stack.path.count)
        }
    }

    /// Appends an object to an array with `depth` objects, and removes it.
    static func bareArray(depth: Int = 8) -> Operation {
        final class Entry {
            let number: Int
            init(number: Int) { self.number = number }
        }
        var stack = (0..<depth).map(Entry.init)
        return Operation { count in
            for number in 0..<count {
                stack.append(Entry(number: number))
                consume(stack.removeLast().number)
            }
        }
    }
}
