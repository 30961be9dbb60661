import { ActionIcon, Box, Code, CopyButton, Text } from '@mantine/core'
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
      {!isMasked && (
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <ActionIcon
              variant="default"
              className={classes.button}
              aria-label={`${copied ? strings.copied : strings.copy}: ${label}`}
              onClick={copy}
            >
              <Icon name={copied ? 'check' : 'copy'} size={16} />
            </ActionIcon>
          )}
        </CopyButton>
      )}
    </Box>
  </div>
)
