extension CampusApp {
    /// How the features' sections look in a browser.
    static let templates = [
        "login": """
        <p>Courses, tutors and to-dos are for those who study here.</p>
        {{#problem}}<p class="error" role="alert">{{.}}</p>{{/problem}}
        <form method="post" action="{{host.action}}" data-event>
        {{>host-fields}}
        <label for="email">E-mail address</label>
        <input id="email" name="email" type="email" value="{{email}}" autocomplete="username" required>
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required>
        <button name="_event" value="log-in">Log in</button>
        </form>
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
        "dashboard/courses": """
        <h2>Your courses</h2>
        {{>waiting}}{{>problem}}
        <ul class="list">
        {{#value}}<li><a href="/course/{{id}}" data-event="open" data-course="{{id}}">{{title}}</a><p>{{summary}}</p></li>
        {{/value}}</ul>
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
        <ul class="list">
        {{#value}}<li>{{#isDone}}<s>{{title}}</s>{{/isDone}}{{^isDone}}{{title}}{{/isDone}}</li>
        {{/value}}</ul>
        """,
        "waiting": """
        {{#isWaiting}}<div class="skeleton"><span></span><span></span><span></span></div>{{/isWaiting}}
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
