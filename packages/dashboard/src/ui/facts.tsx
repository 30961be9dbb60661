import { Alert, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from './icons.js'

/** A value under its label. */
export const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div>
    <Text size="sm" c="dimmed">
      {label}
    </Text>
    <Text fw={650} size="lg" component="div">
      {children}
    </Text>
  </div>
)

/** Something that needs attention. */
export const Warning = ({ children }: { readonly children: ReactNode }) => (
  <Alert color="yellow" variant="light" icon={<Icon name="warning" />}>
    {children}
  </Alert>
)
