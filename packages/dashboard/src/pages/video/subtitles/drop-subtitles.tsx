import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ChooseFiles, DropZone } from '../../../ui/drop-zone.js'
import { Icon } from '../../../ui/icons.js'
import { strings } from './strings.js'

interface DropSubtitlesProps {
  onFiles(files: readonly File[]): void
  /** More buttons. */
  readonly children?: ReactNode
}

/** Accepts subtitle files by drag and drop or from a file dialog. */
export const DropSubtitles = ({ onFiles, children }: DropSubtitlesProps) => (
  <DropZone onDrop={({ files }) => onFiles([...files])}>
    <Group justify="space-between" gap="sm">
      <Group gap="sm" wrap="nowrap" flex="1 1 16rem">
        <Icon name="upload" size={28} />
        <Stack gap={0}>
          <Text fw={600}>{strings.drop}</Text>
          <Text c="dimmed" size="sm">
            {strings.dropAbout}
          </Text>
        </Stack>
      </Group>
      <Group gap="xs">
        <ChooseFiles
          label={strings.choose}
          accept=".srt,.vtt,.txt,application/x-subrip,text/vtt"
          onFiles={onFiles}
        />
        {children}
      </Group>
    </Group>
  </DropZone>
)
