/** Mends what keyboard users would miss in media-chrome's menu of settings. */
export function prepareSettingsMenu(menu: HTMLElement, controller: HTMLElement): void {
  // media-chrome counts items that are not shown, such as the chapters of a film without any. The focus cannot move to
  // these, so the menu would open without it, and arrow keys would stop there.
  Object.defineProperty(menu, 'items', { get: () => [...menu.children].filter(isShown) })
  for (const submenu of menu.querySelectorAll<CheckedMenu>('[slot=submenu]')) beginAtChecked(submenu)
  keepFocusInside(menu)
  // The controls and the menu stay while somebody reads the menu.
  let seconds = '2'
  menu.addEventListener('toggle', ({ target }) => {
    if (target !== menu) return
    if (!menu.hidden) seconds = controller.getAttribute('autohide') ?? seconds
    if (!menu.hidden) menu.focus()
    controller.setAttribute('autohide', menu.hidden ? seconds : '-1')
  })
}

/**
 * media-chrome moves the focus to the first item when the opening animation ends. On a slow device somebody may have moved on
 * by then, and the next key would act on another item.
 */
function keepFocusInside(menu: HTMLElement): void {
  menu.focus = () => {
    if (menu.hidden || menu.matches(':focus-within')) return
    const { focus } = Object.getPrototypeOf(menu) as HTMLElement
    focus.call(menu)
  }
}

interface CheckedMenu extends HTMLElement {
  readonly checkedItems?: readonly HTMLElement[]
}

/** Opens a menu at its current choice, such as the speed 1x, and not at its first item. */
function beginAtChecked(submenu: CheckedMenu): void {
  submenu.focus = () => {
    if (submenu.hidden || submenu.matches(':focus-within')) return
    const { focus } = Object.getPrototypeOf(submenu) as HTMLElement
    focus.call(submenu)
    submenu.checkedItems?.[0]?.focus()
  }
}

const isShown = (element: Element) => element.getClientRects().length > 0
