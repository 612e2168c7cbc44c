export { sharePostgres as default } from '#tests/fixtures/postgres.ts';
