import { settings } from '../config/settings.js'
import { nearest } from '../lib/nearest.js'

/** A sentence for each variable that is a letter away from a setting. All others are for other programs. */
export function misspeltSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  const absent = Object.keys(settings).filter((name) => !env[name])
  return Object.keys(env).flatMap((name) => {
    if (name in settings || !/^[A-Z][A-Z_]{4,}$/.test(name)) return []
    const near = nearest(name, absent, 1)
    return near === undefined ? [] : [`${name} is not a setting, and is ignored (did you mean ${near}?).`]
  })
}
