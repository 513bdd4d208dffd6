// Finds the pages that have all words of the query, or words that begin with them.
"use strict";

const count = document.getElementById("count");
const list = document.getElementById("results");
const query = new URLSearchParams(location.search).get("q") ?? "";
document.getElementById("q").value = query;

// The pages that have a word which begins with `word`, with their weights.
function pagesWith(word, index, names) {
  const weights = new Map();
  let low = 0, high = names.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (names[middle] < word) low = middle + 1; else high = middle;
  }
  for (; low < names.length && names[low].startsWith(word); low++) {
    const isWhole = names[low] === word;
    for (const entry of index.words[names[low]]) {
      const page = entry < 0 ? -entry - 1 : entry;
      const isText = index.pages[page][2] !== "symbol";
      const weight = (entry < 0 ? 8 : 1) * (isWhole ? 4 : 1) * (isText ? 3 : 1);
      weights.set(page, Math.max(weights.get(page) ?? 0, weight));
    }
  }
  return weights;
}

function search(index) {
  const names = Object.keys(index.words).sort((a, b) => (a < b ? -1 : 1));
  const words = query.normalize("NFC").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const found = words.map(word => pagesWith(word, index, names));
  if (found.length === 0) return [];
  return [...found[0].keys()]
    .filter(page => found.every(weights => weights.has(page)))
    .map(page => ({ page, weight: found.reduce((sum, weights) => sum + weights.get(page), 0) }))
    .sort((a, b) => b.weight - a.weight || a.page - b.page)
    .map(({ page }) => index.pages[page]);
}

function show(pages) {
  count.textContent = `${pages.length} ${pages.length === 1 ? "page" : "pages"} for “${query}”`;
  for (const [title, path, , summary] of pages.slice(0, 50)) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = path.split("/").map(encodeURIComponent).join("/") + ".html";
    link.textContent = title;
    const place = document.createElement("small");
    place.textContent = path;
    item.append(link, " ", place, document.createElement("br"), summary);
    list.append(item);
  }
}

if (query) fetch("search.json").then(response => response.json()).then(index => show(search(index)));
