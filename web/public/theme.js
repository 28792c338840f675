// Runs before the first paint, so that a chosen theme never flashes in the other one.
try {
  const theme = JSON.parse(localStorage.getItem('quatuor') || '{}').theme;
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // A closed or damaged store: the system's theme it is.
}
