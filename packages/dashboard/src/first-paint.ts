/** Runs before the first paint. Errors before the dashboard has loaded can only be shown here. */
addEventListener(
  'error',
  () => document.getElementById('opening')?.setAttribute('data-failed', ''),
  // Load errors of scripts do not bubble, so the listener must capture them.
  true,
)

/** Avoids a bright flash for users of the dark theme. */
const chosen = localStorage.getItem('mantine-color-scheme-value')
const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
