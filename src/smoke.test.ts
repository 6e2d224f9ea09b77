import {expect,test} from 'vitest';
import {Entity,Store,Collection,All,Query,INVALID} from '/work/main/src/index.ts';
class User extends Entity { id=''; name=''; static key='User' }
class Comment extends Entity { id=''; content=''; commenter=User.fromJS(); static key='Comment'; static schema={commenter:User} }
class Post extends Entity { id=''; title=''; author=User.fromJS(); comments:Comment[]=[]; static key='Post'; static schema={author:User,comments:new Collection([Comment],{nestKey:(p:any)=>({postId:p.id})})} }
const posts=[{id:'1',title:'a',author:{id:'7',name:'Ann'},comments:[{id:'9',content:'x',commenter:{id:'7',name:'Ann'}}]},{id:'2',title:'b',author:{id:'7',name:'Ann'},comments:[]}];
test('basics',()=>{
 const s=new Store(); const list=new Collection([Post]);
 const r=s.write(list,posts,{args:[{}],resultKey:'GET /posts'});
 const v=s.resultView('GET /posts'); const a=v.current() as any;
 expect(a.length).toBe(2); expect(a[0]).toBeInstanceOf(Post); expect(a[0].author).toBe(a[1].author); expect(a[0].comments[0].commenter).toBe(a[0].author);
 expect(v.current()).toBe(a);
 let n=0; v.subscribe(()=>n++);
 s.write(User,{id:'7',name:'Bob'}); expect(n).toBe(1);
 const b=v.current() as any; expect(b[0].author.name).toBe('Bob'); expect(b[0].author).toBe(b[1].author);
 s.write(list,posts.map(p=>({...p,author:{id:'7',name:'Bob'},comments:p.comments.map(c=>({...c,commenter:{id:'7',name:'Bob'}}))})),{args:[{}],resultKey:'GET /posts'}); expect(n).toBe(1); expect(v.current()).toBe(b);
 s.write(list.push,{id:'3',title:'c',author:'7'},{args:[{}]}); expect(n).toBe(2);
 const c=v.current() as any; expect(c.length).toBe(3); expect(c[0]).toBe(b[0]);
 s.invalidate(Post,'1'); expect((v.current() as any).map((p:any)=>p.id)).toEqual(['2','3']);
 const l=s.guess(()=>({schema:Post,response:{id:'2',title:'guess'}})); expect((v.current() as any)[0].title).toBe('guess');
 s.write(Post,{id:'2',title:'server'}); expect((v.current() as any)[0].title).toBe('guess');
 l.drop(); expect((v.current() as any)[0].title).toBe('server');
 const g=s.guess(()=>({schema:list.push,response:{title:'new',author:'7'},args:[{}]}));
 const w=v.current() as any; expect(w[2].title).toBe('new'); const temp=w[2].id; 
 const pv=s.query(Post,[{id:temp}]); expect((pv.current() as any).title).toBe('new');
 g.confirm(list.push,{id:'42',title:'new!',author:'7'},{args:[{}]});
 expect((v.current() as any)[2].id).toBe('42'); expect((pv.current() as any).id).toBe('42');
 expect((s.get(new All(Post)) as any).length).toBe(3);
 expect(s.get(new Query(list,(ps:any)=>ps.length),{})).toBe(3);
});
test('chain',()=>{
 class Node extends Entity { id=''; next?:Node; static key='Node'; static schema:any={} } Node.schema={next:Node};
 let o:any={id:'n0'}; for(let i=1;i<100000;i++) o={id:'n'+i,next:o};
 const s=new Store(); const pk=s.write(Node,o) as string; let n=s.get(Node,{id:pk}) as any; let c=0; while(n){c++; n=n.next} expect(c).toBe(100000);
});
