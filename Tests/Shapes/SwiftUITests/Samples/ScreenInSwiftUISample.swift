// The samples of Sources/BackplaneSwiftUI/BackplaneSwiftUI.docc/ScreenInSwiftUI.md, with tests.

import Backplane
import BackplaneFeatures
import BackplaneNavigation
import BackplaneSwiftUI
import BackplaneTesting
import Foundation
import Observation
import SwiftUI
import Testing

// MARK: - The contract

struct Recipe: Identifiable, Equatable, Sendable {
    let id: String
    let name: String
    let servings: Int
}

enum RecipePage: BoardContract {
    typealias Input = Recipe.ID
}

// MARK: - The model

@MainActor @Observable final class RecipeModel {
    private(set) var isPlanned = false
    var problem: String?
    private let id: Recipe.ID
    private let loader: Loader<Recipe.ID, Recipe>
    private let plan: (Recipe.ID) async throws -> Void

    init(
        id: Recipe.ID,
        load: @escaping (Recipe.ID) async throws -> Recipe,
        plan: @escaping (Recipe.ID) async throws -> Void
    ) {
        self.id = id
        self.plan = plan
        loader = Loader(load)
    }

    var recipe: LoadState<Recipe> { loader.state }

    func load() { loader.load(id) }

    func retry() { loader.retry() }

    func addToPlan() async throws {
        problem = nil
        try await plan(id)
        isPlanned = true
    }
}

// MARK: - The view

struct RecipeView: View {
    let model: RecipeModel

    var body: some View {
        LoadView(model.recipe, retry: model.retry) { recipe in
            VStack {
                Text(recipe.name).font(.title)
                Text("Serves \(recipe.servings)")
                if model.isPlanned {
                    Text("Planned")
                } else {
                    ActionButton("Add to plan") {
                        try await model.addToPlan()
                    } onError: { _ in
                        model.problem = "The recipe is not in your plan. Try again."
                    }
                }
                if let problem = model.problem { Text(problem) }
            }
        }
        .navigationTitle("Recipe")
    }
}

// MARK: - The board

enum RecipeScreen {
    case home
    case recipe(RecipeModel)
}

@MainActor struct RecipeBoard: Board {
    let slot: Slot<RecipePage>
    let module: RecipesModule

    func activate(with id: Recipe.ID) {
        let model = RecipeModel(id: id, load: module.load, plan: module.plan)
        model.load()
        pair(with: module.navigator.push(.recipe(model)))
    }
}

// MARK: - The module

@MainActor struct RecipesModule: BoardModule {
    let navigator: Navigator<RecipeScreen>
    let load: (Recipe.ID) async throws -> Recipe
    let plan: (Recipe.ID) async throws -> Void

    func register(on motherboard: Motherboard) {
        motherboard.register(reuse: .perActivation) { slot in RecipeBoard(slot: slot, module: self) }
        motherboard.registerLink("recipe/{id}", to: RecipePage.id)
    }
}

// MARK: - The window

@MainActor final class RecipesWindow: LifetimeOwner {
    let lifetime = Lifetime()
    let navigator = Navigator<RecipeScreen>.onMain()
    let motherboard = Motherboard.onMain()
    let links = LinkReceiver()

    init(
        load: @escaping (Recipe.ID) async throws -> Recipe,
        plan: @escaping (Recipe.ID) async throws -> Void
    ) {
        motherboard.pair(with: self)
        motherboard.install(RecipesModule(navigator: navigator, load: load, plan: plan))
        motherboard.allowLinks(schemes: ["kitchen"], hosts: ["kitchen.example"])
        navigator.setRoot(.home)
    }
}

struct RecipesWindowView: View {
    let window: RecipesWindow

    var body: some View {
        NavigatorView(window.navigator) { screen in
            switch screen {
            case .home: RecipesHomeView()
            case .recipe(let model): RecipeView(model: model)
            }
        }
        .environment(\.motherboard, window.motherboard)
        .onLinks(window.links) { url in
            guard window.motherboard.canOpen(url), window.navigator.uncover() else { return }
            window.motherboard.open(url)
        }
    }
}

struct RecipesHomeView: View {
    @Environment(\.motherboard) private var motherboard

    var body: some View {
        Button("Pancakes") { motherboard?.activate(RecipePage.id, with: "pancakes") }
    }
}

// MARK: - The app

struct RecipesRootView: View {
    @Kept private var window = RecipesWindow(
        load: { id in Recipe(id: id, name: "Pancakes", servings: 4) },
        plan: { _ in }
    )

    var body: some View { RecipesWindowView(window: window) }
}

struct RecipesApp: App {
    var body: some Scene {
        WindowGroup { RecipesRootView() }
    }
}

// MARK: - The test

@Suite(.timeLimit(.minutes(5))) struct ScreenInSwiftUITests {
    @MainActor @Test func `a link opens a recipe, which ends when the user goes back`() async throws {
        let window = RecipesWindow(
            load: { id in Recipe(id: id, name: "Pancakes", servings: 4) },
            plan: { _ in }
        )
        #expect(window.motherboard.open("kitchen://recipe/pancakes") == .opened)

        guard case .recipe(let model)? = window.navigator.top?.screen else {
            Issue.record("The window shows no recipe.")
            return
        }
        await waitUntil { model.recipe.value != nil }
        #expect(model.recipe.value?.name == "Pancakes")

        window.navigator.base.stack.path = []  // the user goes back
        #expect(!window.motherboard.isLive(RecipePage.id))
    }

    @MainActor @Test func `the app shows a recipe after a tap and after a link`() async throws {
        let host = ShapeHost { RecipesRootView() }
        await host.show(["Pancakes"])
        #expect(host.tap("Pancakes"))
        await host.show(["Pancakes", "Serves 4", "Add to plan"])
        #expect(host.tap("Add to plan"))
        await host.show(["Pancakes", "Serves 4", "Planned"])
        host.goBack()
        #expect(host.texts == ["Pancakes"])

        host.open(try #require(URL(string: "kitchen://recipe/waffles")))
        await host.show(["Pancakes", "Serves 4", "Add to plan"])
        host.open(try #require(URL(string: "kitchen://nowhere")))
        #expect(host.texts == ["Pancakes", "Serves 4", "Add to plan"])
        #expect(host.problems.isEmpty)
    }

    @MainActor @Test func `a recipe that is not planned says so`() async {
        struct Failure: Error {}
        let model = RecipeModel(
            id: "pancakes",
            load: { id in Recipe(id: id, name: "Pancakes", servings: 4) },
            plan: { _ in throw Failure() }
        )
        let host = ShapeHost { RecipeView(model: model) }
        model.load()
        await host.show(["Pancakes", "Serves 4", "Add to plan"])
        host.tap("Add to plan")
        await host.show(["Pancakes", "Serves 4", "Add to plan", "The recipe is not in your plan. Try again."])
    }

    @MainActor @Test func `a window can print mistakes`() {
        var printed: [String] = []
        func print(_ event: BoardEvent) { printed.append("\(event)") }
        let motherboard = Motherboard()
        let mistakes: [BoardEvent.Kind] = [
            .unhandledOutput, .unhandledAction, .unhandledFailure, .droppedOutput,
            .droppedEntrance, .noSuchBoard, .leaked, .turnBudgetExceeded,
        ]
        motherboard.observe { event in if mistakes.contains(event.kind) { print(event) } }
        motherboard.activate(BoardID<RecipePage>("receipt"), with: "pancakes")
        #expect(printed.count == 1)
        #expect(printed.first?.hasPrefix("noSuchBoard") == true)
    }

    @MainActor @Test func `the scene of the app has the root view`() {
        _ = RecipesApp().body
    }
}
