/**
 * Leaves out of the player what it never uses of its libraries: a fifth of the script. hls.js has switches for this only in
 * its own build. Each change must still find its place, so a new version of a library cannot undo it unnoticed.
 */
import { readFile } from 'node:fs/promises'

/**
 * Parts of hls.js that are optional: DRM, CMCD, content steering, trick play, interstitials, ID3 tags as cues, and lowering
 * the quality when frames are dropped, which is off by default.
 */
const controllers = {
  emeController: 'EMEController',
  cmcdController: 'CMCDController',
  contentSteeringController: 'ContentSteeringController',
  iframeController: 'IFrameController',
  interstitialsController: 'InterstitialsController',
  id3TrackController: 'ID3TrackController',
  fpsController: 'FPSController',
}

/** Captions inside the video stream, as in US broadcasts. hls.js always makes their parser, so an empty one stays. */
const parser = { name: 'Cea608Parser', body: '{ reset() {} addData() {} }' }

/** Statements of one line that only write to the log, which is off. */
const logging =
  /^\s*(?:this|logger|this\.logger|this\.hls\.logger|hls\.logger)\.(?:log|debug|info|warn)\((?:[^;\n]|;(?! ))*\);$/gm

function replaced(text, searched, replacement) {
  if (text.split(searched).length !== 2) throw new Error(`hls.js has changed: look for ${searched} in it.`)
  return text.replace(searched, () => replacement)
}

function trimHls(source) {
  let text = replaced(source, '\nEMEController.CDMCleanupPromise = void 0;', '')
  for (const [name, value] of Object.entries(controllers))
    text = replaced(text, `\n  ${name}: ${value}`, `\n  ${name}: undefined`)
  const { name, body } = parser
  text = `${replaced(text, `\nclass ${name} {`, `\nclass Unused${name} {`)}\nclass ${name} ${body}\n`
  return text.replace(logging, ';')
}

/** All that media-chrome needs of its own dialog of keys, which ours replaces. */
const hotkeyToken =
  "export const getHotkeyToken = (key) => (key === ' ' ? 'nospace' : 'no' + key.toLowerCase())"

export const leaveOutUnused = {
  name: 'leave-out-unused',
  setup({ onLoad }) {
    onLoad({ filter: /hls\.js\/dist\/hls\.mjs$/ }, async ({ path }) => ({
      contents: trimHls(await readFile(path, 'utf8')),
    }))
    onLoad({ filter: /media-chrome\/dist\/media-keyboard-shortcuts-dialog\.js$/ }, () => ({
      contents: hotkeyToken,
    }))
  },
}
