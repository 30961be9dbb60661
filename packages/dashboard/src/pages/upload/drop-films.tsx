import { Group, Stack, Text } from '@mantine/core'
import { ChooseFiles, DropZone } from '../../ui/drop-zone.js'
import { Icon } from '../../ui/icons.js'
import { acceptedFiles, filesOf } from './dropped-files.js'
import { strings } from './strings.js'

interface DropFilmsProps {
  readonly isReplacing: boolean
  onFiles(files: readonly File[]): void
}

/** Accepts films by drag and drop or from a file dialog. */
export const DropFilms = ({ isReplacing, onFiles }: DropFilmsProps) => (
  <DropZone isLarge onDrop={(dropped) => void filesOf(dropped).then(onFiles)}>
    <Stack align="center" gap="xs" ta="center">
      <Icon name="upload" size={40} />
      <Text fw={600} size="lg">
        {strings.drop}
      </Text>
      <Text c="dimmed" maw="34rem">
        {isReplacing ? strings.replaceAbout : strings.dropAbout}
      </Text>
      <Group mt="sm" justify="center">
        <ChooseFiles
          label={strings.chooseFiles}
          accept={acceptedFiles}
          isSingle={isReplacing}
          onFiles={onFiles}
        />
        {!isReplacing && (
          <ChooseFiles variant="default" label={strings.chooseFolder} isFolder onFiles={onFiles} />
        )}
      </Group>
    </Stack>
  </DropZone>
)
