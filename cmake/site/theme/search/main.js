// The search of the site. Unlike mkdocs' own it takes neither a server nor a worker, so that it also
// works where the pages are opened as files. What it searches is loaded when it is first needed.
(function () {
  "use strict";
  const kMaxResults = 30;
  const kSummary = 200;
  const results = document.getElementById("mkdocs-search-results");
  const field = document.getElementById("mkdocs-search-query");
  if (!results || !field) return;

  function load(script) {
    return new Promise(function (resolve, reject) {
      const element = document.createElement("script");
      element.src = base_url + "/search/" + script;
      element.onload = resolve;
      element.onerror = reject;
      document.head.append(element);
    });
  }

  function index() {
    return lunr(function () {
      this.ref("number");
      this.field("title", {boost: 10});
      this.field("text");
      // Names such as image/gaussian and tuff_graph_start are words as a whole and in parts.
      this.tokenizer.separator = /[\s\-\/]+/;
      tuff_search_docs.forEach((doc, number) => this.add({number, title: doc.title, text: doc.text}));
    });
  }

  function show(found) {
    results.replaceChildren();
    if (found.length === 0) results.textContent = results.dataset.noResultsText;
    for (const one of found.slice(0, kMaxResults)) {
      const doc = tuff_search_docs[one.ref];
      const link = document.createElement("a");
      link.href = base_url + "/" + doc.location;
      link.textContent = doc.title;
      const heading = document.createElement("h3");
      heading.append(link);
      const summary = document.createElement("p");
      summary.textContent = doc.text.slice(0, kSummary);
      const article = document.createElement("article");
      article.append(heading, summary);
      results.append(article);
    }
  }

  const wanted = new URLSearchParams(window.location.search).get("q") || "";
  field.value = wanted;
  Promise.all([load("lunr.js"), load("search_index.js")]).then(function () {
    const all = index();
    function search() {
      const words = field.value.split(/[\s\-\/]+/).filter((word) => word.length > 1);
      show(words.length === 0 ? [] : all.query(function (query) {
        for (const word of words) {
          const term = word.toLowerCase();
          query.term(lunr.stemmer(new lunr.Token(term)).toString(), {boost: 10});
          query.term(term, {wildcard: lunr.Query.wildcard.TRAILING});
        }
      }));
    }
    field.addEventListener("input", search);
    search();
  }, function () {
    results.textContent = "The search could not be loaded.";
  });
})();
