/** Runs before anything is drawn: what went wrong before the dashboard is there can be told only here. */
addEventListener(
  'error',
  () => document.getElementById('opening')?.setAttribute('data-failed', ''),
  // Scripts that do not come tell nobody above them.
  true,
)

/** So that nobody who chose the dark theme sees a bright flash. */
const chosen = localStorage.getItem('mantine-color-scheme-value')
const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
