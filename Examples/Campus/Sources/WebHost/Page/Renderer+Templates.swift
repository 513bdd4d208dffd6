extension Renderer {
    /// The host's own templates; they replace an app's templates of the same names.
    static let templates = [
        "host-document": """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>{{documentTitle}}</title>
        <link rel="icon" href="data:,">
        <link rel="stylesheet" href="/_host/style.css">
        <script src="/_host/app.js" defer></script>
        </head>
        <body{{#window}} data-window="{{id}}" data-csrf="{{csrf}}" data-version="{{version}}" data-path="{{path}}"{{/window}}>
        <a class="skip" href="#main">Skip to the content</a>
        {{>host-layout}}
        <p id="connection" role="status" hidden>Connection lost, retrying …</p>
        </body>
        </html>
        """,
        "host-main": """
        <main id="main" tabindex="-1"{{#isModal}} class="dialog"{{/isModal}}{{#screen}} data-screen="{{.}}"{{/screen}}>
        <h1 id="title">{{title}}</h1>
        {{#message}}<p>{{.}}</p><p><a href="/">Go to the start page</a></p>{{/message}}
        {{#parts}}<section id="section-{{id}}" aria-live="polite">{{{html}}}</section>
        {{/parts}}
        {{#reload}}<noscript><p class="notice">Still loading. <a href="{{.}}">Reload</a></p></noscript>{{/reload}}
        </main>
        """,
        "host-bar": #"<nav id="section-bar" aria-label="Main">{{{.}}}</nav>"#,
        "host-bar-entries": """
        {{#entries}}<a href="{{path}}" data-navigate{{#isCurrent}} aria-current="page"{{/isCurrent}}>{{title}}</a>
        {{/entries}}
        """,
        "host-section": "{{#model}}{{>*template}}{{/model}}",
        "host-denied": """
        <p>{{message}}</p>
        <form method="post" action="{{host.action}}" data-event>
        {{>host-fields}}
        <button name="_event" value="home">Go to the start page</button>
        </form>
        """,
        "host-missing": #"<p class="error">This part of the page cannot be shown.</p>"#,
        "host-fields": """
        <input type="hidden" name="_csrf" value="{{host.csrf}}">\
        <input type="hidden" name="_screen" value="{{host.screen}}">
        """,
    ]
}
