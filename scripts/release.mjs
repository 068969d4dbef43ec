import { main } from './release/main.mjs';

process.exit(await main(process.argv.slice(2), process.env));
