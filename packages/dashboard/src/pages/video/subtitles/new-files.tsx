import { ActionIcon, Button, Group, Loader, Paper, Stack, Switch, Text, TextInput } from '@mantine/core'
import { Icon } from '../../../ui/icons.js'
import { LanguagePicker } from '../../../ui/language-picker.js'
import { languageOf } from '../../../ui/languages.js'
import { PlainList } from '../../../ui/plain-list.js'
import { UnsavedGuard } from '../../../ui/resource-form/unsaved-guard.js'
import { strings } from './strings.js'
import type { NewFile, useNewFiles } from './use-new-files.js'

/** The files to upload, with what is known about each. */
export function NewFiles({ added }: { readonly added: ReturnType<typeof useNewFiles> }) {
  const { files, change, remove, sendAll, isSending } = added
  if (files.length === 0) return null
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void sendAll()
      }}
    >
      <Stack gap="sm">
        <PlainList aria-label={strings.files}>
          {files.map((each) => (
            <FileRow
              key={each.key}
              file={each}
              onChange={(fields) => change(each.key, { ...fields, problem: undefined })}
              onRemove={() => remove(each.key)}
            />
          ))}
        </PlainList>
        <Group justify="flex-end">
          <Button type="submit" loading={isSending}>
            {strings.add(files.length)}
          </Button>
        </Group>
      </Stack>
      <UnsavedGuard
        isDirty
        title={strings.notAddedTitle}
        about={strings.notAddedAbout}
        leave={strings.leaveOut}
      />
    </form>
  )
}

interface FileRowProps {
  readonly file: NewFile
  onChange(fields: Partial<NewFile>): void
  onRemove(): void
}

function FileRow({ file: each, onChange, onRemove }: FileRowProps) {
  const { file, language, title, isDefault, isForced, isSending, problem } = each
  const usual = (language && languageOf(language)?.english) ?? ''
  const of = (what: string) => strings.ofFile(what, file.name)
  return (
    <Paper withBorder p="sm" component="li" aria-label={file.name}>
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap">
          <Text fw={500} truncate>
            {file.name}
          </Text>
          {isSending ? (
            <Loader size="sm" role="status" aria-label={strings.sending(file.name)} />
          ) : (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={strings.removeFile(file.name)}
              onClick={onRemove}
            >
              <Icon name="close" />
            </ActionIcon>
          )}
        </Group>
        <Group gap="sm" align="flex-end">
          <LanguagePicker
            flex="1 1 14rem"
            label={strings.language}
            aria-label={of(strings.language)}
            required
            disabled={isSending}
            value={language}
            onChange={(code) => onChange({ language: code })}
          />
          <TextInput
            flex="1 1 10rem"
            label={strings.label}
            aria-label={of(strings.label)}
            placeholder={usual && strings.labelUnlike(usual)}
            maxLength={100}
            disabled={isSending}
            value={title}
            onChange={(event) => onChange({ title: event.currentTarget.value })}
          />
        </Group>
        <Group gap="lg">
          <Switch
            label={strings.default}
            aria-label={of(strings.default)}
            disabled={isSending}
            checked={isDefault}
            onChange={(event) => onChange({ isDefault: event.currentTarget.checked })}
          />
          <Switch
            label={strings.forced}
            aria-label={of(strings.forced)}
            disabled={isSending}
            checked={isForced}
            onChange={(event) => onChange({ isForced: event.currentTarget.checked })}
          />
        </Group>
        {problem && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {problem}
          </Text>
        )}
      </Stack>
    </Paper>
  )
}
