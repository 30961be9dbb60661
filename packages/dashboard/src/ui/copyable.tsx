import { ActionIcon, Box, Code, Text } from '@mantine/core'
import { useState } from 'react'
import classes from './copyable.module.css'
import { Icon } from './icons.js'
import { strings } from './strings.js'

interface CopyableProps {
  readonly label: string
  readonly text: string
  /** Shown in part only: of no use elsewhere. */
  readonly isMasked?: boolean
}

/** A piece of text to take elsewhere. */
export const Copyable = ({ label, text, isMasked = false }: CopyableProps) => (
  <div>
    <Text size="sm" fw={500} mb={4}>
      {label}
    </Text>
    <Box className={classes.frame}>
      <Code block tabIndex={0} className={classes.text} role="region" aria-label={label}>
        {text}
      </Code>
      {!isMasked && <CopyButton label={label} text={text} />}
    </Box>
  </div>
)

const copiedMs = 1500

function CopyButton({ label, text }: Pick<CopyableProps, 'label' | 'text'>) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    await copyText(text)
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

/** Browsers have a clipboard for pages that came over https; in a home network the older way serves. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
