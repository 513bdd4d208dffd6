extension Renderer {
    /// The host's own templates; they replace an app's templates of the same names.
    ///
    /// A section's template can use the partials `waiting` and `problem` with a `LoadModel`, and
    /// `changes` with a `ChangeModel`.
    static let templates = [
        "host-document": WebTemplate(PackageResources.host_document_mustache).source,
        "host-main": WebTemplate(PackageResources.host_main_mustache).source,
        "host-sheet": WebTemplate(PackageResources.host_sheet_mustache).source,
        "host-dialog": WebTemplate(PackageResources.host_dialog_mustache).source,
        "host-bar": WebTemplate(PackageResources.host_bar_mustache).source,
        "host-bar-entries": WebTemplate(PackageResources.host_bar_entries_mustache).source,
        "host-breadcrumb": WebTemplate(PackageResources.host_breadcrumb_mustache).source,
        "host-section": WebTemplate(PackageResources.host_section_mustache).source,
        "host-denied": WebTemplate(PackageResources.host_denied_mustache).source,
        "host-missing": WebTemplate(PackageResources.host_missing_mustache).source,
        "host-fields": WebTemplate(PackageResources.host_fields_mustache).source,
        "waiting": WebTemplate(PackageResources.waiting_mustache).source,
        "changes": WebTemplate(PackageResources.changes_mustache).source,
        "problem": WebTemplate(PackageResources.problem_mustache).source,
    ]
}
