// The samples of Sources/BackplaneSwiftUI/BackplaneSwiftUI.docc/PreviewsAndTests.md, with tests.

import Backplane
import BackplaneFeatures
import BackplaneNavigation
import BackplaneSwiftUI
import BackplaneTesting
import Foundation
import Observation
import SwiftUI
import Testing

// MARK: - Previews

struct RecipePreview: View {
    @Kept private var model: RecipeModel

    init(load: @escaping (Recipe.ID) async throws -> Recipe) {
        _model = Kept { RecipeModel(id: "pancakes", load: load, plan: { _ in }) }
    }

    var body: some View {
        RecipeView(model: model).task { model.load() }
    }
}

extension RecipePreview {
    static var loaded: RecipePreview {
        RecipePreview { id in Recipe(id: id, name: "Pancakes", servings: 4) }
    }

    static var loading: RecipePreview {
        RecipePreview { id in
            // Waits until the preview is closed.
            for await recipe in AsyncStream(Recipe.self, { _ in }) { return recipe }
            throw CancellationError()
        }
    }

    static var failed: RecipePreview {
        RecipePreview { _ in throw URLError(.notConnectedToInternet) }
    }
}

struct RecipeMarks {
    var isFavorite = false
}

@MainActor @Observable final class RecipeMarksModel {
    let marks: Loader<Recipe.ID, RecipeMarks>
    private let id: Recipe.ID
    private let save: (Recipe.ID, Bool, IdempotencyKey) async throws -> Void

    init(
        id: Recipe.ID,
        load: @escaping (Recipe.ID) async throws -> RecipeMarks,
        save: @escaping (Recipe.ID, Bool, IdempotencyKey) async throws -> Void
    ) {
        self.id = id
        self.save = save
        marks = Loader(load)
    }

    var isFavorite: Bool {
        get { marks.value?.isFavorite ?? false }
        set {
            let (id, save) = (id, save)
            let change = Mutation<RecipeMarks>(.set(\.isFavorite, to: newValue)) { key in
                try await save(id, newValue, key)
            }
            try? marks.enqueue(change)  // throws only before `load()`
        }
    }

    func load() { marks.load(id) }
}

struct FavoriteView: View {
    @Bindable var model: RecipeMarksModel

    var body: some View {
        LoadView(model.marks.state, retry: model.marks.retry) { _ in
            Toggle("Favorite", isOn: $model.isFavorite)
        }
    }
}

struct FavoritePreview: View {
    @Kept private var model = FavoritePreview.makeModel()

    var body: some View {
        FavoriteView(model: model).task { model.load() }
    }

    private static func makeModel() -> RecipeMarksModel {
        var marks = RecipeMarks()
        return RecipeMarksModel(
            id: "pancakes",
            load: { _ in marks },
            save: { _, isFavorite, _ in marks.isFavorite = isFavorite }
        )
    }
}

// MARK: - Tests

@Suite(.timeLimit(.minutes(5))) struct PreviewsAndTestsTests {
    @MainActor @Test func `a recipe is planned after the server has accepted it`() async throws {
        var planned: [Recipe.ID] = []
        let model = RecipeModel(
            id: "pancakes",
            load: { id in Recipe(id: id, name: "Pancakes", servings: 4) },
            plan: { planned.append($0) }
        )

        try await model.addToPlan()

        #expect(planned == ["pancakes"])
        #expect(model.isPlanned)
    }

    @MainActor @Test func `a recipe that is not loaded can be loaded again`() async {
        let recipes = LoadStub<Recipe.ID, Recipe>()
        let model = RecipeModel(id: "pancakes", load: recipes.load, plan: { _ in })

        model.load()
        await recipes.requests(atLeast: 1)
        #expect(model.recipe.isLoading)
        recipes.fail(with: URLError(.notConnectedToInternet))
        await waitUntil { model.recipe.error != nil }

        model.retry()
        await recipes.requests(atLeast: 2)
        recipes.succeed(with: Recipe(id: "pancakes", name: "Pancakes", servings: 4))
        await waitUntil { model.recipe.value != nil }
    }

    @MainActor @Test func `a recipe ends when the user goes back to the home screen`() {
        let navigator = Navigator<RecipeScreen>(hasTransitions: false)
        navigator.setRoot(.home)
        let test = TestMotherboard()
        test.motherboard.install(
            RecipesModule(
                navigator: navigator,
                load: { id in Recipe(id: id, name: "Pancakes", servings: 4) },
                plan: { _ in }
            )
        )

        test.motherboard.activate(RecipePage.id, with: "pancakes")
        #expect(navigator.places.count == 2)

        navigator.base.stack.path = []  // the user goes back
        test.expect(.activated(RecipePage.id, with: "pancakes"), .cancelled(RecipePage.id))
    }

    @MainActor @Test func `a link activates the board of its recipe`() {
        let test = TestMotherboard()
        let recipe = test.stub(RecipePage.id)
        test.motherboard.install(
            RecipesModule(navigator: Navigator(), load: { _ in throw CancellationError() }, plan: { _ in })
        )

        #expect(test.motherboard.open("/recipe/pancakes") == .opened)

        #expect(recipe.inputs == ["pancakes"])
        test.expect(.activated(RecipePage.id, with: "pancakes"))
    }

    @MainActor @Test func `each preview shows its state`() async {
        await ShapeHost { RecipePreview.loaded }.show(["Pancakes", "Serves 4", "Add to plan"])
        await ShapeHost { RecipePreview.failed }.show(["Not loaded", "Try again"])
        let loading = ShapeHost { RecipePreview.loading }
        await loading.update { $0.progressCount == 1 }
        #expect(loading.texts.isEmpty)
    }

    @MainActor @Test func `a button without a motherboard does nothing`() {
        let host = ShapeHost { RecipesHomeView() }
        #expect(host.tap("Pancakes"))
        #expect(host.texts == ["Pancakes"])
    }

    @MainActor @Test func `a switch changes its value at once, and keeps it after the next load`() async {
        var (marks, loads) = (RecipeMarks(), 0)
        let model = RecipeMarksModel(
            id: "pancakes",
            load: { _ in
                loads += 1
                return marks
            },
            save: { _, isFavorite, _ in marks.isFavorite = isFavorite }
        )
        let host = ShapeHost { FavoriteView(model: model) }
        model.load()
        await host.update { $0.isOn("Favorite") == false }

        #expect(host.tap("Favorite"))
        #expect(host.isOn("Favorite") == true)
        await host.update { _ in loads == 2 && !model.marks.state.isLoading }
        #expect(host.isOn("Favorite") == true)
        #expect(marks.isFavorite)
    }

    @MainActor @Test func `the preview of a switch can be tapped`() async {
        let host = ShapeHost { FavoritePreview() }
        await host.update { $0.isOn("Favorite") == false }
        #expect(host.tap("Favorite"))
        #expect(host.isOn("Favorite") == true)
    }
}
