import { ActionIcon, Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import type { Resource } from '@zoetrope/contract'
import type { Words } from '@zoetrope/contract/words/field-words'
import type { CallOptions } from '@zoetrope/sdk'
import { type ComponentType, useRef, useState } from 'react'
import { GivenUp } from '../../data/given-up.js'
import { useSession } from '../../data/session.js'
import { Dialog, DialogButton } from '../form-dialog.js'
import { Icon } from '../icons.js'
import { sayFailed } from '../notices.js'
import type { FieldGroup } from '../resource-form/form-groups.js'
import type { InputProps } from '../resource-form/input-props.js'
import { ResourceForm } from '../resource-form/resource-form.js'
import type { Values } from '../resource-form/values.js'
import { Section } from '../section.js'
import { useUndoable } from '../use-undoable.js'
import { inOrder, inWords, type Rule, refusesEverybody } from './rule-words.js'
import { strings } from './strings.js'

/** How rules are stored, and which fields they have. */
export interface RuleBook {
  readonly resource: Resource
  readonly words: Words
  readonly groups: readonly FieldGroup[]
  readonly inputs: Readonly<Record<string, ComponentType<InputProps>>>
  /** Reads a rule as it is now. */
  read(id: string, options: CallOptions): Promise<object>
  create(fields: Values, options: CallOptions): Promise<unknown>
  update(id: string, changes: Values, options: CallOptions): Promise<unknown>
  remove(id: string, options: CallOptions): Promise<unknown>
  /** Called after each change. */
  renew(): void
}

interface RuleListProps {
  readonly title: string
  readonly about: string
  readonly empty: string
  readonly rules: readonly Rule[]
  readonly book: RuleBook
}

/** A list of content rules in words, with dialogs to add and edit them. */
export function RuleList({ title, about, empty, rules, book }: RuleListProps) {
  const { mayEdit } = useSession()
  const add = useRef<HTMLButtonElement>(null)
  return (
    <Section
      title={title}
      about={about}
      actions={
        mayEdit && (
          <DialogButton label={strings.add} icon="plus" size="xs" isWide ref={add}>
            {(close) => <RuleForm book={book} save={book.create} close={close} />}
          </DialogButton>
        )
      }
    >
      {rules.length === 0 && <Text c="dimmed">{empty}</Text>}
      <Stack gap="xs">
        {inOrder(rules).map((rule) => (
          <Paper key={rule._id} withBorder p="sm">
            <Group justify="space-between" wrap="nowrap">
              <div>
                <Group gap="xs">
                  <Badge color={rule.policy === 'deny' ? 'red' : 'teal'} variant="light" tt="none">
                    {strings.policies[rule.policy]}
                  </Badge>
                  <Text fw={500}>{rule.name}</Text>
                  {!rule.enabled && <Text c="dimmed">{strings.off}</Text>}
                </Group>
                <Text size="sm">{inWords(rule)}</Text>
              </div>
              {mayEdit && <RuleActions rule={rule} book={book} onRemoved={() => add.current?.focus()} />}
            </Group>
          </Paper>
        ))}
      </Stack>
    </Section>
  )
}

interface RuleFormProps {
  readonly book: RuleBook
  readonly rule?: Rule
  readonly save: (changes: Values, options: CallOptions) => Promise<unknown>
  close(): void
}

interface Question {
  readonly yes: () => void
  readonly no: () => void
}

function RuleForm({ book, rule, save, close }: RuleFormProps) {
  const [question, setQuestion] = useState<Question>()
  const ask = () =>
    new Promise<void>((resolve, reject) => setQuestion({ yes: resolve, no: () => reject(new GivenUp()) }))
  const answer = (word: keyof Question) => {
    setQuestion(undefined)
    question?.[word]()
  }
  return (
    <>
      <ResourceForm
        resource={book.resource}
        words={book.words}
        record={rule}
        read={(options) => book.read(rule?._id ?? '', options)}
        groups={book.groups}
        inputs={book.inputs}
        save={async (changes, options) => {
          if (refusesEverybody({ ...rule, ...changes })) await ask()
          return save(changes, options)
        }}
        onSaved={() => {
          close()
          book.renew()
        }}
        onCancel={close}
      />
      <Dialog title={strings.refuse} isOpen={question !== undefined} onClose={() => answer('no')}>
        <Stack>
          <Text>{strings.refuseAbout}</Text>
          <Group justify="flex-end">
            <Button variant="default" data-autofocus onClick={() => answer('no')}>
              {strings.cancel}
            </Button>
            <Button color="red" onClick={() => answer('yes')}>
              {strings.refuseAll}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}

interface RuleActionsProps {
  readonly rule: Rule
  readonly book: RuleBook
  /** Called after a removal, to move the keyboard focus. */
  onRemoved(): void
}

function RuleActions({ rule, book, onRemoved }: RuleActionsProps) {
  const name = rule.name ?? inWords(rule)
  const report = useUndoable()
  const remove = () =>
    report(strings.deleted, (options) => book.remove(rule._id, options)).then(
      () => {
        book.renew()
        onRemoved()
      },
      (error: unknown) => sayFailed(strings.failed, error),
    )
  return (
    <Group gap="xs" wrap="nowrap">
      <DialogButton label={strings.edit} aria-label={strings.editOf(name)} size="xs" isWide>
        {(close) => (
          <RuleForm
            book={book}
            rule={rule}
            save={(changes, options) => book.update(rule._id, changes, options)}
            close={close}
          />
        )}
      </DialogButton>
      <ActionIcon variant="default" aria-label={strings.deleteOf(name)} onClick={() => void remove()}>
        <Icon name="trash" size={16} />
      </ActionIcon>
    </Group>
  )
}
