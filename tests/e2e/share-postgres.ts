export { sharePostgres as default } from '../fixtures/postgres.ts';
