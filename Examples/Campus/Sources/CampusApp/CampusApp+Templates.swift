extension CampusApp {
    /// The templates of the features' sections for browsers.
    static let templates = [
        "login": """
        <p>Courses, tutors and to-dos are for those who study here.</p>
        {{#notice}}<p class="notice" role="status">{{.}}</p>{{/notice}}
        {{#problem}}<p class="error" role="alert">{{.}}</p>{{/problem}}
        <form method="post" action="{{host.action}}" data-event>
        {{>host-fields}}
        <label for="email">E-mail address</label>
        <input id="email" name="email" type="email" value="{{email}}" autocomplete="username" required>
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required>
        <button name="_event" value="log-in">Log in</button>
        </form>
        <p><a href="/catalog">Look around the campus shop</a></p>
        """,
        "dashboard/user": """
        {{#value}}<p>Welcome back, {{.}}.</p>{{/value}}
        {{>waiting}}{{>problem}}
        <form method="post" action="{{host.action}}" data-event>
        {{>host-fields}}
        <button class="quiet" name="_event" value="refresh">Refresh</button>
        <button class="quiet" name="_event" value="log-out">Log out</button>
        </form>
        """,
        "dashboard/week": """
        <p>Appointments this week: {{appointments}}. Open to-dos: {{openTodos}}.</p>
        """,
        "dashboard/courses": """
        <h2>Your courses</h2>
        {{>waiting}}{{>problem}}
        <ul class="list">
        {{#value}}<li><a href="/course/{{id}}" data-event="open" data-course="{{id}}">{{title}}</a><p>{{summary}}</p></li>
        {{/value}}</ul>
        """,
        "dashboard/messages": """
        <h2>Messages you sent</h2>
        {{>waiting}}{{>problem}}
        <ul class="list">
        {{#value}}<li>{{text}}<p class="muted">To {{recipients}}{{#status}} · <span role="status">{{.}}</span>{{/status}}</p>
        {{#canBeSentAgain}}<form method="post" action="{{host.action}}" data-event>
        {{>host-fields}}
        <button class="quiet" name="_event" value="resend">Send again now</button>
        </form>{{/canBeSentAgain}}</li>
        {{/value}}</ul>
        """,
        "dashboard/tiles": """
        <ul class="list">
        {{#tiles}}<li><a href="{{path}}" data-navigate>{{title}}</a><p>{{text}}</p></li>
        {{/tiles}}</ul>
        """,
        "dashboard/unsent": """
        <h2>Messages that were not sent</h2>
        <ul class="list">
        {{#messages}}<li>{{text}}<p class="muted">To {{recipients}}</p>
        <form class="error" role="alert" method="post" action="{{host.action}}" data-event>
        <p>{{reason}}</p>
        {{>host-fields}}
        <input type="hidden" name="message" value="{{id}}">
        <button name="_event" value="edit">Edit</button>
        <button class="quiet" name="_event" value="discard">Discard</button>
        </form></li>
        {{/messages}}</ul>
        """,
        "settings/user": """
        {{>waiting}}{{>problem}}
        {{#value}}<p>{{name}}</p><p class="muted">{{email}}</p>{{/value}}
        <form method="post" action="{{host.action}}" data-event>
        {{>host-fields}}
        <button class="quiet" name="_event" value="sync">Sync</button>
        </form>
        <p><a href="/">Dashboard</a></p>
        """,
        "settings/sessions": """
        <h2>Where you are logged in</h2>
        {{>waiting}}{{>problem}}
        {{#value}}{{#refusal}}<p class="error" role="alert">{{.}}</p>{{/refusal}}
        <ul class="list">
        {{#sessions}}<li><form class="row" method="post" action="{{host.action}}" data-event>
        {{>host-fields}}
        <input type="hidden" name="session" value="{{id}}">
        <span class="grow">{{label}}{{#isCurrent}} · this session{{/isCurrent}}<br>
        <span class="muted">Logged in {{begun}}, last seen {{refreshed}}</span></span>
        <button class="quiet" name="_event" value="end">{{#isCurrent}}Log out{{/isCurrent}}{{^isCurrent}}End{{/isCurrent}}</button>
        </form></li>
        {{/sessions}}</ul>
        {{#hasOthers}}<form method="post" action="{{host.action}}" data-event>
        {{>host-fields}}
        <button class="quiet" name="_event" value="end-others">End all others</button>
        </form>{{/hasOthers}}{{/value}}
        """,
        "course/summary": """
        {{>waiting}}{{>problem}}
        {{#value}}<p>{{summary}}</p>{{/value}}
        <p><a href="/">All courses</a></p>
        """,
        "course/tutor": """
        <h2>Tutor</h2>
        {{>waiting}}{{>problem}}
        {{#value}}<p>{{name}} · <a href="mailto:{{email}}">{{email}}</a></p><p class="muted">{{officeHours}}</p>{{/value}}
        """,
        "course/schedule": """
        <h2>Schedule</h2>
        {{>waiting}}{{>problem}}
        <ul class="list">
        {{#value}}<li class="row"><span>{{title}}</span><span class="muted">{{time}} · {{room}}</span></li>
        {{/value}}</ul>
        """,
        "course/to-dos": """
        <h2>To-dos</h2>
        {{>waiting}}{{>problem}}
        {{#value}}{{#changes}}{{>changes}}{{/changes}}
        <ul class="list">
        {{#todos}}<li><form class="row" method="post" action="{{host.action}}" data-event>
        {{>host-fields}}
        <input type="hidden" name="todo" value="{{id}}">
        <span class="grow">{{#isDone}}<s>{{title}}</s>{{/isDone}}{{^isDone}}{{title}}{{/isDone}}</span>
        {{#isUnsaved}}<span class="muted">Not saved yet</span>{{/isUnsaved}}
        {{#canChange}}<button class="quiet" id="todo-{{id}}" name="_event" \
        {{#isDone}}value="untick" aria-label="Untick: {{title}}">Untick{{/isDone}}\
        {{^isDone}}value="tick" aria-label="Tick: {{title}}">Tick{{/isDone}}</button>{{/canChange}}
        </form></li>
        {{/todos}}</ul>{{/value}}
        """,
        "course/failures": """
        {{#anyFailed}}<form class="row" method="post" action="{{host.action}}" data-event>
        {{>host-fields}}
        <span class="grow">Not all of this page could be loaded.</span>
        <button class="quiet" name="_event" value="retry-all">Load the rest</button>
        </form>{{/anyFailed}}
        """,
        "composer": """
        {{#problem}}<p class="error" role="alert">{{.}}</p>{{/problem}}
        <form method="post" action="{{host.action}}" data-event>
        {{>host-fields}}
        <h2>To</h2>
        <ul class="list" id="recipients">
        {{#recipients}}<li>{{.}}</li>
        {{/recipients}}{{^recipients}}<li class="muted">No recipients yet</li>
        {{/recipients}}</ul>
        <p><button class="quiet" name="_event" value="add-recipients">Choose recipients</button></p>
        <label for="text">Text</label>
        <textarea id="text" name="text" maxlength="{{textLimit}}">
        {{text}}</textarea>
        <button name="_event" value="send">Send</button>
        <button class="quiet" name="_event" value="cancel">Cancel</button>
        </form>
        """,
        "composer/contacts": """
        {{>waiting}}{{>problem}}
        {{#value}}<form method="post" action="{{host.action}}" data-event>
        {{>host-fields}}
        <ul class="list">
        {{#contacts}}<li class="row"><input type="checkbox" id="{{field}}" name="{{field}}"{{#isChosen}} checked{{/isChosen}}>
        <label for="{{field}}">{{name}} <span class="muted">{{role}}</span></label></li>
        {{/contacts}}</ul>
        <button name="_event" value="choose">Choose</button>
        </form>{{/value}}
        """,
        "composer/cancel": """
        <form method="post" action="{{host.action}}" data-event>
        {{>host-fields}}
        <button class="quiet" name="_event" value="cancel">Cancel</button>
        </form>
        """,
        "question": """
        <p>{{message}}</p>
        <form method="post" action="{{host.action}}" data-event>
        {{>host-fields}}
        <button name="_event" value="accept">{{accept}}</button>
        {{#reject}}<button class="quiet" name="_event" value="reject">{{.}}</button>{{/reject}}
        <button class="quiet" name="_event" value="dismiss">{{dismiss}}</button>
        </form>
        """,
        "catalog": """
        {{>waiting}}{{>problem}}
        <ul class="list">
        {{#value}}<li class="row"><a class="grow" href="/product/{{id}}" data-event="open" data-product="{{id}}">{{title}}</a>
        <span>{{price}}</span></li>
        {{/value}}</ul>
        """,
        "product": """
        {{>waiting}}{{>problem}}
        {{#value}}<p>{{description}}</p><p>{{price}}</p>{{/value}}
        <p><a href="/catalog">The whole campus shop</a></p>
        """,
        "product/favorite": """
        {{>waiting}}{{>problem}}
        {{#value}}{{#changes}}{{>changes}}{{/changes}}
        <form class="row" method="post" action="{{host.action}}" data-event>
        {{>host-fields}}
        <span class="grow">{{#isFavorite}}★ One of your favorites{{/isFavorite}}\
        {{^isFavorite}}☆ Not one of your favorites{{/isFavorite}}</span>
        {{#isUnsaved}}<span class="muted">Not saved yet</span>{{/isUnsaved}}
        <button class="quiet" id="favorite" name="_event" \
        {{#isFavorite}}value="unfavorite">Remove{{/isFavorite}}{{^isFavorite}}value="favorite">Add{{/isFavorite}}</button>
        </form>{{/value}}
        """,
        "product/shop": """
        {{#refusal}}<p class="error" role="alert">{{.}}</p>{{/refusal}}
        {{#receipt}}<p class="notice" role="status">{{.}}</p>{{/receipt}}
        {{#shared}}<p>Copy this link to {{title}}: <a href="{{link}}">{{link}}</a></p>{{/shared}}
        <form method="post" action="{{host.action}}" data-event>
        {{>host-fields}}
        <button name="_event" value="purchase"{{#isPurchasing}} disabled{{/isPurchasing}}>Buy</button>
        <button class="quiet" name="_event" value="ask">Ask about it</button>
        <button class="quiet" name="_event" value="share">Share</button>
        </form>
        """,
        "waiting": """
        {{#isWaiting}}<div class="skeleton"><span></span><span></span><span></span></div>{{/isWaiting}}
        """,
        "changes": """
        {{#refusals}}<form class="row error" role="alert" method="post" action="{{host.action}}" data-event>
        {{>host-fields}}
        <input type="hidden" name="change" value="{{id}}">
        <span class="grow">{{reason}}</span>
        <button class="quiet" name="_event" value="dismiss">Dismiss</button>
        </form>
        {{/refusals}}{{#isUnanswered}}<form class="row notice" role="status" method="post" action="{{host.action}}" data-event>
        {{>host-fields}}
        <span class="grow">The campus server does not respond. Unsaved changes are sent again.</span>
        <button class="quiet" name="_event" value="resend">Send it now</button>
        </form>{{/isUnanswered}}
        """,
        "problem": """
        {{#problem}}<div class="error" role="alert"><p>{{.}}</p>
        <form method="post" action="{{host.action}}" data-event>
        {{>host-fields}}
        <input type="hidden" name="section" value="{{section}}">
        <button name="_event" value="retry">Try again</button>
        </form></div>{{/problem}}
        """,
    ]
}
