import { Alert } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isUnreachable } from '../../data/unreachable.js'
import { strings } from '../strings.js'

const firstMs = 2000
const longestMs = 30_000
/** About twenty minutes. */
const mostTries = 45

/** The title of a yellow notice would have too little contrast. */
export const readableTitle = { title: { color: 'var(--mantine-color-text)' } } as const

/** What is known about a save that could not reach the server. */
export interface SaveAgain {
  /** Tells what becomes of the changes, if the server could not be reached. */
  readonly notice: ReactNode
  /** Call with the outcome of each attempt: its error, or undefined. */
  note(error?: unknown): void
  /** The same for each attempt to save the same content, so that the server does it once. */
  keyFor(content: unknown): string
}

/** Repeats a save when the connection is back, and now and then until it is: browsers do not always notice. */
export function useRepeatedSave(save: () => void): SaveAgain {
  const [failures, setFailures] = useState(0)
  const attempt = useRef({ content: '', key: '' })
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    if (failures === 0) return
    const again = () => latest.current()
    const delay = Math.min(longestMs, firstMs * 1.5 ** (failures - 1))
    const timer = failures > mostTries ? undefined : setTimeout(again, delay)
    window.addEventListener('online', again)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', again)
    }
  }, [failures])
  return {
    notice:
      failures === 0 ? undefined : (
        <Alert color="yellow" variant="light" title={strings.notSaved} role="alert" styles={readableTitle}>
          {failures <= mostTries ? strings.savedLater : strings.saveYourself}
        </Alert>
      ),
    note(error) {
      if (isUnreachable(error)) return setFailures((count) => count + 1)
      setFailures(0)
      attempt.current = { content: '', key: '' }
    },
    keyFor(content) {
      const text = JSON.stringify(content)
      if (attempt.current.content !== text) attempt.current = { content: text, key: newKey() }
      return attempt.current.key
    },
  }
}

/** `crypto.randomUUID` exists on secure pages only. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')
