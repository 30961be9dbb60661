import { ActionIcon, Box, Code, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import classes from './copyable.module.css'
import { Icon } from './icons.js'
import { sayFailed } from './notices.js'
import { strings } from './strings.js'

interface CopyableProps {
  readonly label: string
  readonly text: string
  /** The text is masked, so copying it would be useless. */
  readonly isMasked?: boolean
}

/** A text with a button that copies it. */
export function Copyable({ label, text, isMasked = false }: CopyableProps) {
  const shown = useRef<HTMLElement>(null)
  const select = () => {
    if (!shown.current) return
    shown.current.focus()
    window.getSelection()?.selectAllChildren(shown.current)
  }
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {label}
      </Text>
      <Box className={classes.frame}>
        <Code block tabIndex={0} className={classes.text} role="region" aria-label={label} ref={shown}>
          {text}
        </Code>
        {!isMasked && <CopyButton label={label} text={text} onRefused={select} />}
      </Box>
    </div>
  )
}

const copiedMs = 1500

interface CopyButtonProps extends Pick<CopyableProps, 'label' | 'text'> {
  onRefused(): void
}

function CopyButton({ label, text, onRefused }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    if (!(await copyText(text))) {
      onRefused()
      return sayFailed(strings.notCopied, new Error(strings.notCopiedAbout))
    }
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), copiedMs)
  }
  return (
    <ActionIcon
      variant="default"
      className={classes.button}
      aria-label={`${isCopied ? strings.copied : strings.copy}: ${label}`}
      onClick={copy}
    >
      <Icon name={isCopied ? 'check' : 'copy'} size={16} />
    </ActionIcon>
  )
}

/**
 * Copies the text, and returns whether that worked. Browsers offer the clipboard only over HTTPS and may refuse it,
 * so this falls back to copying a selection.
 */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelecting(text)
  }
}

function copyBySelecting(text: string): boolean {
  const before = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (before instanceof HTMLElement) before.focus()
  return isCopied
}
