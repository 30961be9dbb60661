import { strings } from './strings.js'

/** Where the focus is in a line. */
export type LineField = 'text' | 'start' | 'end'

export type LineCommand =
  | 'next'
  | 'down'
  | 'up'
  | 'split'
  | 'join'
  | 'add'
  | 'remove'
  | 'startNow'
  | 'endNow'
  | 'later'
  | 'earlier'
  | 'muchLater'
  | 'muchEarlier'
  | 'play'

export type EditorCommand = 'save' | 'undo' | 'redo' | 'find' | 'playPause' | 'keys'

type Pressed = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey' | 'isComposing'
>

/** The keys with modifiers, as `mod+shift+enter`. Letters and brackets are those at their usual place of the keyboard. */
function nameOf({ key, code, ctrlKey, metaKey, shiftKey, altKey }: Pressed): string {
  const plain = /^(Bracket(Left|Right)|Slash|Space)$/.test(code) ? code : key === 'Dead' ? code : key
  const bare = altKey && code.startsWith('Key') ? code.slice(3) : plain
  const modifiers = [
    ...(ctrlKey || metaKey ? ['mod'] : []),
    ...(altKey ? ['alt'] : []),
    ...(shiftKey ? ['shift'] : []),
  ]
  return [...modifiers, bare.toLowerCase()].join('+')
}

const lineKeys: Readonly<Record<string, LineCommand>> = {
  'mod+enter': 'split',
  'mod+shift+enter': 'add',
  'mod+j': 'join',
  'mod+shift+j': 'join',
  'mod+shift+backspace': 'remove',
  'mod+bracketleft': 'startNow',
  'mod+bracketright': 'endNow',
  'alt+arrowdown': 'later',
  'alt+arrowright': 'later',
  'alt+arrowup': 'earlier',
  'alt+arrowleft': 'earlier',
  'alt+shift+arrowdown': 'muchLater',
  'alt+shift+arrowright': 'muchLater',
  'alt+shift+arrowup': 'muchEarlier',
  'alt+shift+arrowleft': 'muchEarlier',
  'alt+p': 'play',
}

const editorKeys: Readonly<Record<string, EditorCommand>> = {
  'mod+s': 'save',
  'mod+z': 'undo',
  'mod+shift+z': 'redo',
  'mod+y': 'redo',
  'mod+f': 'find',
  'mod+h': 'find',
  'mod+space': 'playPause',
  'mod+slash': 'keys',
  'mod+/': 'keys',
  'mod+shift+/': 'keys',
}

interface Caret {
  readonly field: LineField
  readonly text: string
  readonly from: number
  readonly to: number
}

/** The command of a key that is pressed in a line. Arrows leave a text only from its first or last line. */
export function lineCommand(pressed: Pressed, { field, text, from, to }: Caret): LineCommand | undefined {
  if (pressed.isComposing) return undefined
  const name = nameOf(pressed)
  if (field !== 'text') return name === 'enter' ? 'down' : lineKeys[name]
  if (name === 'enter') return 'next'
  if (name === 'backspace' && text === '') return 'remove'
  const isCaret = from === to
  if (name === 'arrowup' && isCaret && !text.slice(0, from).includes('\n')) return 'up'
  if (name === 'arrowdown' && isCaret && !text.slice(from).includes('\n')) return 'down'
  return lineKeys[name]
}

/** The command of a key that is pressed anywhere in the editor. */
export const editorCommand = (pressed: Pressed): EditorCommand | undefined =>
  pressed.isComposing ? undefined : editorKeys[nameOf(pressed)]

/** The shortcuts as the help shows them. */
export const shortcuts: readonly (readonly [keys: string, about: string])[] = [
  ['Enter', strings.keyList.next],
  ['Shift+Enter', strings.keyList.break],
  ['↑ ↓', strings.keyList.move],
  ['Ctrl+Enter', strings.keyList.split],
  ['Ctrl+J', strings.keyList.join],
  ['Ctrl+Shift+Enter', strings.keyList.add],
  ['Ctrl+Shift+Backspace', strings.keyList.remove],
  ['Ctrl+[', strings.keyList.startNow],
  ['Ctrl+]', strings.keyList.endNow],
  ['Alt+↑ ↓', strings.keyList.nudge],
  ['Alt+Shift+↑ ↓', strings.keyList.nudgeMore],
  ['Alt+P', strings.keyList.playLine],
  ['Ctrl+Space', strings.keyList.playPause],
  ['Ctrl+F', strings.keyList.find],
  ['Ctrl+Z', strings.keyList.undo],
  ['Ctrl+Shift+Z', strings.keyList.redo],
  ['Ctrl+S', strings.keyList.save],
  ['Ctrl+/', strings.keyList.keys],
]
