/** The environment variables in which exec hands its server's addresses and key to the command that it runs. */
export const handedVariables = { url: 'PET_MOCK_URL', key: 'PET_MOCK_KEY', admin: 'PET_MOCK_ADMIN' } as const
export type Handed = keyof typeof handedVariables
