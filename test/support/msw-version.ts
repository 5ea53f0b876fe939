import { env } from 'node:process'

/** Which MSW is tested: 2, or, where the environment says so, 3, which needs Node 22.12. */
export const mswPackage = env.PET_MOCK_TEST_MSW === '3' ? 'msw-3' : 'msw'
