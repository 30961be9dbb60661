import { ListPage } from '../../ui/record-pages/list-page.js'
import { zobjectTypes } from './kind.js'

export const Page = () => <ListPage kind={zobjectTypes} />
