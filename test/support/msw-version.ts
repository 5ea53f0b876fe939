import { env } from 'node:process'
import { fileURLToPath } from 'node:url'

/** Whether MSW 3 is tested, not 2: it needs Node 22.12. */
export const isMsw3 = env.PET_MOCK_TEST_MSW === '3'

/** The folder with the package.json of MSW 3. */
export const msw3 = fileURLToPath(new URL('../../tools/msw-3', import.meta.url))
