// Sends the user's events to the server, and applies the server's changes to the page.
// Without this script, the same forms and links work by loading pages.
"use strict";

(() => {
  document.cookie = `script=1; path=/; SameSite=Lax${location.protocol === "https:" ? "; Secure" : ""}`;
  const { window: windowID, csrf } = document.body.dataset;
  // An error page has no window. A browser without cookies works better without the script.
  if (!windowID || !document.cookie.includes("script=1")) return;

  const endpoint = `/_host/windows/${windowID}/events`;
  const lostConnection = document.getElementById("connection");
  let version = document.body.dataset.version;
  let path = document.body.dataset.path; // of the shown screen; may differ from the address, for example for a login
  let address = location.pathname + location.search;
  let leaving = false;
  let source;
  // Only this page knows it: after a sign-in here, only this page receives the new cookie.
  const pageKey = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  const main = () => document.getElementById("main");
  const sheet = document.getElementById("sheet");
  const dialog = document.getElementById("section-dialog");

  function startAnew() {
    leaving = true;
    source?.close();
    location.reload();
  }

  // MARK: Messages from the server

  function connect() {
    source?.close();
    if (document.hidden) return;
    source = new EventSource(`${endpoint}?version=${version}&page=${pageKey}`);
    source.onopen = () => { lostConnection.hidden = true; };
    source.onerror = () => {
      lostConnection.hidden = leaving;
      if (source.readyState === EventSource.CLOSED && !leaving) setTimeout(connect, 2000);
    };
    const on = (name, apply) => source.addEventListener(name, (event) => {
      apply(JSON.parse(event.data));
      version = event.lastEventId || version;
    });
    on("section", showSection);
    on("screen", (screen) => screen.area === "sheet" ? showSheet(screen) : showScreen(screen));
    on("reconnect", connect);
    on("reload", startAnew);
  }

  // A browser allows six connections to a host, so a hidden page gives its connection back.
  document.addEventListener("visibilitychange", async () => {
    if (leaving) return;
    if (!document.hidden) return connect();
    await send(new URLSearchParams({ _event: "_hide" }));
    if (document.hidden) source.close();
    else connect();
  });

  function showSection({ id, html }) {
    const section = document.getElementById(`section-${id}`);
    if (id === "dialog") showDialog(section, html);
    else if (section) keepingInput(section, () => { section.innerHTML = html; });
    restoreTexts();
  }

  // MARK: Sheet and dialogs

  const openers = new Map(); // the element that had the focus before the sheet or the dialog

  function showSheet({ number, title, html }) {
    if (html === undefined) {
      document.getElementById("sheet-title").textContent = title;
    } else if (number === (sheet.dataset.screen ?? "")) {
      keepingInput(sheet, () => { sheet.innerHTML = html; });
    } else {
      const wasOpen = sheet.open;
      sheet.dataset.screen = number;
      showDialog(sheet, html);
      // The back button closes the sheet, so an open sheet has an entry in the history.
      if (html && !wasOpen) history.pushState({ sheet: true }, "", address);
      if (!html && history.state?.sheet) history.back();
    }
  }

  // A modal dialog keeps the focus inside, and takes the rest of the page away from assistive technology.
  function showDialog(dialog, html) {
    const wasOpen = dialog.open;
    dialog.innerHTML = html;
    if (html) {
      if (!wasOpen) openers.set(dialog, document.activeElement);
      dialog.close();
      dialog.showModal();
    } else if (wasOpen) {
      dialog.close();
      const opener = openers.get(dialog);
      const successor = opener?.isConnected ? opener : opener && successorOf(opener, document);
      (successor ?? main()).focus({ preventScroll: true });
    }
  }

  function hideDialog(event) {
    event.preventDefault(); // the server closes the sheet or the dialog
    const number = dialog.querySelector("input[name=dialog]")?.value;
    if (event.target === sheet) send(new URLSearchParams({ _event: "_dismiss" }));
    else if (number) send(new URLSearchParams({ _event: "_answer", dialog: number }));
  }

  function showScreen(screen) {
    const shown = main().dataset.screen;
    const isNew = screen.number !== shown;
    if (isNew) {
      main().outerHTML = screen.html;
      main().focus({ preventScroll: true });
      scrollTo(0, 0);
    } else if (screen.html) {
      keepingInput(main(), () => { main().outerHTML = screen.html; });
    } else {
      document.getElementById("title").textContent = screen.title;
    }
    document.title = screen.documentTitle;
    if (submitted && !screen.path.startsWith(submitted)) sessionStorage.removeItem(textsKey(submitted));
    if (screen.path === path) return restoreTexts();
    path = screen.path;
    restoreTexts();
    // The first screen keeps the address, even if it is a sign-in form with another path.
    if (!shown || path === address) return;
    history[isNew ? "pushState" : "replaceState"](null, "", path);
    address = path;
  }

  // Replaces a part of the page, and keeps the focus and the input that the user has not sent.
  function keepingInput(root, replace) {
    const focused = document.activeElement;
    const caret = [focused?.selectionStart, focused?.selectionEnd];
    const typed = [...root.querySelectorAll("input[id], textarea[id]")].filter(isUnsent);
    const hadFocus = root.contains(focused);
    replace();
    for (const old of typed) {
      const field = document.getElementById(old.id);
      if (!field) continue;
      field.value = old.value;
      field.checked = old.checked;
    }
    if (!hadFocus) return;
    const redrawn = document.getElementById(root.id);
    const successor = successorOf(focused, redrawn);
    // A button may be disabled now, or gone. The focus then stays at its part of the page.
    if (!successor || successor.disabled) return redrawn.focus({ preventScroll: true });
    successor.focus({ preventScroll: true });
    if (typeof caret[0] === "number" && successor.value === focused.value) successor.setSelectionRange(...caret);
  }

  // Returns the element that replaces another one after a redraw: by its ID, or for a button by its name and value.
  function successorOf(element, root) {
    if (element.id) return document.getElementById(element.id);
    return [...root.querySelectorAll("button[name]")].find((button) =>
      button.name === element.name && button.value === element.value);
  }

  const isUnsent = (field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked;

  // MARK: Texts that are not sent yet

  let submitted; // the path of the screen whose form was sent; its texts are dropped when the screen leaves
  let lastActive = 0;

  const textsKey = (path) => `texts ${path}`;
  const textFields = () => main().querySelectorAll("textarea[id]");

  // Keeps the texts in this tab, so that they survive a reload and a look at another page.
  function keepTexts() {
    const texts = {};
    for (const field of textFields()) if (field.value) texts[field.id] = field.value;
    if (Object.keys(texts).length) sessionStorage.setItem(textsKey(path), JSON.stringify(texts));
    else sessionStorage.removeItem(textsKey(path));
  }

  function restoreTexts() {
    // The texts belong to the user who wrote them, who may be another one after the next sign-in.
    if (main().querySelector("input[type=password]")) sessionStorage.clear();
    const texts = JSON.parse(sessionStorage.getItem(textsKey(path)) ?? "{}");
    for (const field of textFields()) if (!field.value && texts[field.id]) field.value = texts[field.id];
    if (textFields().length) keepTexts();
  }

  document.addEventListener("input", () => {
    keepTexts();
    if (Date.now() - lastActive < 60_000) return;
    lastActive = Date.now();
    send(new URLSearchParams({ _event: "_active" }));
  });

  // MARK: Times

  const moments = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

  // Shows each time in the reader's language and time zone, in place of the server's text in UTC.
  function showTimes() {
    for (const time of document.querySelectorAll("time[datetime]:not([data-is-local])")) {
      time.dataset.isLocal = "";
      time.textContent = moments.format(new Date(time.dateTime));
    }
  }

  new MutationObserver(showTimes).observe(document.body, { childList: true, subtree: true });

  // MARK: Slow responses

  const progress = document.createElement("div");
  Object.assign(progress, { id: "progress", role: "progressbar", ariaLabel: "Loading", hidden: true });
  document.body.append(progress);
  let awaitedCount = 0; // the number of responses that have not arrived yet
  let slowness;

  // Shows a bar while a response takes long.
  async function showProgress(response) {
    awaitedCount += 1;
    slowness ??= setTimeout(() => { progress.hidden = false; }, 300);
    await response;
    awaitedCount -= 1;
    if (awaitedCount) return;
    clearTimeout(slowness);
    slowness = undefined;
    progress.hidden = true;
  }

  // MARK: Events from the user

  let lastSend = Promise.resolve();
  let sentCount = 0;
  const sender = Math.random().toString(36).slice(2);

  // Sends an event after the earlier ones. The server handles an event that arrives twice once.
  function send(fields) {
    fields.set("_csrf", csrf);
    fields.set("_page", pageKey);
    fields.set("_screen", (sheet.open ? sheet : main()).dataset.screen ?? "");
    fields.set("_id", `${sender}.${++sentCount}`);
    lastSend = lastSend.then(() => post(fields));
    showProgress(lastSend);
    return lastSend;
  }

  // Posts an event, and again while no response arrives.
  async function post(fields) {
    const headers = { "X-Backplane-Script": "1" };
    for (let delay = 500; !leaving; delay = Math.min(2 * delay, 8000)) {
      try {
        const response = await fetch(endpoint, { method: "POST", body: fields, headers });
        // The server has handled the event and cannot save it yet, or was too busy for it.
        if (response.status === 503) throw response;
        if (!response.ok) startAnew();
        lostConnection.hidden = leaving || source.readyState === EventSource.OPEN;
        return;
      } catch {
        lostConnection.hidden = leaving;
        await new Promise((resume) => setTimeout(resume, delay));
      }
    }
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("form[data-event]");
    if (!form) return;
    event.preventDefault();
    // A form that is sent on each change may change again before the response.
    if (form.ariaBusy === "true" && !("eventOnChange" in form.dataset)) return;
    form.ariaBusy = "true";
    const fields = new URLSearchParams(new FormData(form, event.submitter));
    for (const field of form.elements) {
      // The input is sent, so a later redraw may replace it.
      if ("defaultValue" in field) field.defaultValue = field.value;
      if ("defaultChecked" in field) field.defaultChecked = field.checked;
    }
    submitted = path;
    await send(fields);
    form.ariaBusy = null;
  });

  document.addEventListener("change", ({ target }) => {
    target.closest("form[data-event-on-change]")?.requestSubmit();
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-event], a[data-navigate]");
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if ("navigate" in link.dataset) {
      submitted = undefined;
      send(new URLSearchParams({ _event: "_navigate", path: link.getAttribute("href") }));
      return;
    }
    const { event: name, ...fields } = link.dataset;
    send(new URLSearchParams({ ...fields, _event: name }));
  });

  addEventListener("popstate", () => {
    const wanted = location.pathname + location.search;
    if (wanted === address) {
      // The end of a sheet, or a jump within the page.
      if (sheet.open && !history.state?.sheet) send(new URLSearchParams({ _event: "_dismiss" }));
      return;
    }
    address = wanted;
    submitted = undefined;
    send(new URLSearchParams({ _event: "_navigate", path: wanted }));
  });

  if (history.state?.sheet && !sheet.open) history.replaceState(null, "");
  for (const element of [sheet, dialog]) {
    element.addEventListener("cancel", hideDialog);
    if (element.open) showDialog(element, element.innerHTML);
  }

  addEventListener("pageshow", (event) => { if (event.persisted) startAnew(); });
  addEventListener("pagehide", () => {
    leaving = true;
    navigator.sendBeacon(endpoint, new URLSearchParams({ _event: "_leave", _csrf: csrf }));
  });
  restoreTexts();
  showTimes();
  connect();
})();
