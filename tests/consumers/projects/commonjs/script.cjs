const { Controller, Entity } = require('rejoin');

class User extends Entity {
  name = '';
}

const controller = new Controller();
void controller.set(User, { id: '7' }, { id: '7', name: 'Ann' });
console.log(controller.get(User, { id: '7' }).name);
