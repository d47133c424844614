// Run before anything is painted, so that a picked appearance never flashes up as the other one.
(() => {
  try {
    const picked = JSON.parse(localStorage.getItem("rejoin.theme"));
    if (picked === "light" || picked === "dark") document.documentElement.dataset.theme = picked;
  } catch {
    // Without storage the system's own appearance holds.
  }
})();
