import { Button, Menu, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { SavedView } from '@zoetrope/sdk'
import { useState } from 'react'
import { keyOf } from '../../data/keys.js'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { listSearch } from '../../ui/define-search.js'
import { Dialog, QuickForm } from '../../ui/form-dialog.js'
import { Icon } from '../../ui/icons.js'
import { offerUndo, sayDone, sayFailed } from '../../ui/notices.js'
import type { ListState } from '../../ui/resource-table/use-resource-list.js'
import { strings } from './strings.js'

type State = SavedView['state']

/** A text that does not depend on the order of the names. */
const sortedText = (state: State) =>
  JSON.stringify(Object.entries(state).sort(([a], [b]) => (a < b ? -1 : 1)))

/** The state in the address, without the position in the list. */
function stateOf({ asked }: ListState<Video>, layout: string): State {
  const { page: _page, ...rest } = asked
  return { ...rest, layout }
}

function useViews() {
  const { publisher, channel } = useSession()
  const queries = useQueryClient()
  const queryKey = keyOf('views', channel._id)
  const views = useQuery({ queryKey, queryFn: ({ signal }) => publisher.views({ signal }) })
  const renew = () => queries.invalidateQueries({ queryKey })
  const change = useMutation({
    mutationFn: (run: () => Promise<unknown>) => run(),
    onSuccess: renew,
    onError: (error) => sayFailed(strings.views.failed, error),
  })
  return { views: views.data ?? [], renew, change: change.mutate }
}

interface ViewsMenuProps {
  readonly list: ListState<Video>
  readonly layout: string
}

/** Saved views: filters, order and layout under a name, stored by the server. */
export function ViewsMenu({ list, layout }: ViewsMenuProps) {
  const { publisher } = useSession()
  const { views, renew, change } = useViews()
  const { view: chosenId } = useSearch({ strict: false }) as { view?: string }
  const state = stateOf(list, layout)
  const [isSaving, setIsSaving] = useState(false)
  const [renamed, setRenamed] = useState<SavedView>()
  const shown = views.find((view) => sortedText(view.state) === sortedText(state))
  const chosen = shown ?? views.find(({ _id }) => _id === chosenId)
  const remove = ({ _id, page, name, state: old }: SavedView) =>
    change(async () => {
      await publisher.deleteView(_id)
      offerUndo(strings.views.deleted(name), () =>
        change(() => publisher.saveView({ page, name, state: old })),
      )
    })
  return (
    <>
      <Menu position="bottom-end" width="16rem">
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="down" size={14} />}>
            {shown ? shown.name : strings.views.menu}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{strings.views.mine}</Menu.Label>
          {views.length === 0 && (
            <Text size="sm" c="dimmed" px="sm" pb="xs">
              {strings.views.none}
            </Text>
          )}
          {views.map((view) => (
            <Menu.Item
              key={view._id}
              component={Link}
              to="/videos"
              search={listSearch.to({ ...view.state, view: view._id })}
              leftSection={<Icon name={view === shown ? 'check' : 'blank'} size={16} />}
            >
              {view.name}
            </Menu.Item>
          ))}
          <Menu.Item
            component={Link}
            to="/videos"
            search={listSearch.to({})}
            leftSection={<Icon name="blank" size={16} />}
          >
            {strings.views.all}
          </Menu.Item>
          <Menu.Divider />
          {!shown && (
            <Menu.Item leftSection={<Icon name="plus" size={16} />} onClick={() => setIsSaving(true)}>
              {strings.views.save}
            </Menu.Item>
          )}
          {chosen && !shown && (
            <Menu.Item
              leftSection={<Icon name="again" size={16} />}
              onClick={() =>
                change(async () => {
                  await publisher.changeView(chosen._id, { state })
                  sayDone(strings.views.saved(chosen.name))
                })
              }
            >
              {strings.views.overwrite(chosen.name)}
            </Menu.Item>
          )}
          {chosen && (
            <>
              <Menu.Item leftSection={<Icon name="edit" size={16} />} onClick={() => setRenamed(chosen)}>
                {strings.views.rename(chosen.name)}
              </Menu.Item>
              <Menu.Item
                color="red"
                leftSection={<Icon name="trash" size={16} />}
                onClick={() => remove(chosen)}
              >
                {strings.views.delete(chosen.name)}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <NameDialog
        isOpen={isSaving}
        title={strings.views.saveTitle}
        label={strings.views.saveTitle}
        send={(name) => publisher.saveView({ page: 'videos', name, state })}
        onClose={() => setIsSaving(false)}
        onSent={renew}
      />
      <NameDialog
        key={renamed?._id}
        isOpen={renamed !== undefined}
        title={strings.views.renameTitle}
        label={strings.views.renameSubmit}
        name={renamed?.name}
        send={(name) => publisher.changeView(renamed?._id ?? '', { name })}
        onClose={() => setRenamed(undefined)}
        onSent={renew}
      />
    </>
  )
}

interface NameDialogProps {
  readonly isOpen: boolean
  readonly title: string
  readonly label: string
  readonly name?: string
  send(name: string): Promise<SavedView>
  onSent(): unknown
  onClose(): void
}

function NameDialog({ isOpen, title, label, name: before = '', send, onSent, onClose }: NameDialogProps) {
  const [name, setName] = useState(before)
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <QuickForm
        label={label}
        send={() => send(name.trim())}
        onSent={(view) => {
          sayDone(strings.views.saved(view.name))
          setName('')
          onClose()
          return onSent()
        }}
      >
        {(problem) => (
          <TextInput
            label={strings.views.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={problem}
            maxLength={100}
            required
            data-autofocus
          />
        )}
      </QuickForm>
    </Dialog>
  )
}
