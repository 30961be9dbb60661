import { ListPage } from '../../ui/record-pages/list-page.js'
import { apps } from './kind.js'

export const Page = () => <ListPage kind={apps} />
