import { listPets } from './list-pets.js'

const pets = await listPets(process.env.PET_MOCK_URL, process.env.PET_MOCK_KEY)
console.log(`${pets.length} pets`)
