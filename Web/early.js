// Run before anything is painted: a picked appearance never flashes up as the other one, text runs the right way from the
// start, and the words of the language come along with the page's first files.
(() => {
  const picked = (key) => {
    try {
      return JSON.parse(localStorage.getItem(`rejoin.${key}`));
    } catch {
      // Without storage the system's own appearance and the browser's languages hold.
      return undefined;
    }
  };
  const root = document.documentElement;
  const theme = picked("theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  const wanted = [picked("language"), ...navigator.languages.map((tag) => tag.split("-")[0])];
  root.lang = wanted.find((code) => ["en", "ar"].includes(code)) ?? "en";
  root.dir = root.lang === "ar" ? "rtl" : "ltr";
  const words = document.createElement("link");
  words.rel = "modulepreload";
  words.href = `/words-${root.lang}.js`;
  document.head.append(words);
})();
