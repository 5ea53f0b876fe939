import { serverFlags } from '../../arguments/server-flags.ts'

const { url, 'admin-token': adminToken } = serverFlags

export const mcpFlags = { url, 'admin-token': adminToken }
