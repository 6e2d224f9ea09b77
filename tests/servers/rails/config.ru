# An application of Rails in one file: tasks, each of a person, in memory.
require 'logger'
require 'active_record'
require 'action_controller/railtie'

class Tracker < Rails::Application
  config.load_defaults 6.1
  config.eager_load = false
  config.consider_all_requests_local = false
  config.logger = Logger.new(nil)
  config.secret_key_base = 'x' * 32
  config.hosts.clear
  config.api_only = true
end

ActiveRecord::Base.establish_connection(adapter: 'sqlite3', database: ':memory:', pool: 1)
ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do
  create_table(:people) { |t| t.string :full_name }
  create_table(:tasks) { |t| t.string :title, null: false; t.date :due_on; t.references :person; t.timestamps }
end

class Person < ActiveRecord::Base
  has_many :tasks
end

class Task < ActiveRecord::Base
  belongs_to :person, optional: false
  validates :title, presence: true, length: { maximum: 40 }
end

class TasksController < ActionController::API
  rescue_from(ActiveRecord::RecordNotFound) { render json: { error: 'There is no such task.' }, status: :not_found }

  def index = render(json: Task.includes(:person).order(:id).as_json(include: :person))
  def show = render(json: task.as_json(include: :person))
  def create = save(Task.new, :created)
  def update = save(task, :ok)
  def destroy = task.destroy && head(:no_content)

  private

  def task = Task.find(params[:id])
  def save(task, status)
    if task.update(params.require(:task).permit(:title, :due_on, :person_id))
      render json: task.as_json(include: :person), status: status
    else
      render json: task.errors, status: :unprocessable_entity
    end
  end
end

Tracker.initialize!
Rails.application.routes.draw { resources :tasks }
Person.create!(full_name: 'Ann Lee')
Person.create!(full_name: 'Bob Ray')
Task.create!(title: 'Write', person_id: 1)
ActiveRecord::Base.clear_active_connections!
run Tracker
