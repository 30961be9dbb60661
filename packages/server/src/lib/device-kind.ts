/** User-Agent patterns with the name channels use for the kind of device. The first match wins. */
const kinds: readonly (readonly [RegExp, browser: string, app?: string])[] = [
  [/\bRoku\b/i, 'Roku'],
  [/\bCrKey\b/, 'Chromecast'],
  [/\bAFT[A-Z]|\bFire ?TV\b|\bAmazonWebAppPlatform\b/, 'FireTV'],
  [/\bApple ?TV|\btvOS\b/i, 'Apple TV'],
  [/\bXbox\b/i, 'Xbox (HTML5)', 'Xbox'],
  [/\bXumo\b/i, 'Xumo'],
  [/\bOpera TV\b|\bOMI\//, 'OperaTV'],
  [/\bMetrological\b/i, 'Metrological'],
  [/smart-?tv|\bTizen\b|\bWeb0S\b|\bwebOS\b|\bHbbTV\b|\bNetCast\b|\bBRAVIA\b|\b(Google|Android) ?TV\b/i, 'SmartTV'],
  [/\bWindows Phone\b|\bIEMobile\b/, 'Windows Phone (HTML5)'],
  [/\bBlackBerry\b|\bBB10\b/, 'BlackBerry (HTML5)'],
  [/\b(iPhone|iPad|iPod|iOS)\b/, 'iOS (HTML5)', 'iOS (Native)'],
  [/\b(AppleCoreMedia|CFNetwork)\b/i, 'iOS (Native)'],
  [/\bzype android\b/i, 'Android (Native)'],
  [/\bAndroid\b|\bDalvik\b|\bokhttp\b|\bExoPlayer/i, 'Android (HTML5)', 'Android (Native)'],
  [/\b(Windows NT|Macintosh|X11|CrOS|Linux)\b/, 'Desktop'],
] // biome-ignore format: one table, read as one

/** No real User-Agent is longer. */
const longest = 1000

/** The kind of device according to its User-Agent; empty if unknown. Only browsers begin with "Mozilla/". */
export function kindOfDevice(userAgent: string | undefined): string {
  const agent = (userAgent ?? '').slice(0, longest)
  const kind = kinds.find(([pattern]) => pattern.test(agent))
  if (!kind) return ''
  const [, browser, app = browser] = kind
  return agent.startsWith('Mozilla/') ? browser : app
}
