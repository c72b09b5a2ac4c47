export * from './task';
export { Store, type StoreEvents } from './store';
export { default as Clock } from './clock';
export * as ids from './ids';
export { createTask as makeTask } from './task';
